package org.fastpath.offheap.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.Jcstress;
import org.fastpath.offheap.store.PinStress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the jcstress tests of reference counts, index and pins, briefly. For longer: the system
 * property {@code jcstress.millis} is the time of an iteration. Two of them have a mistake, of
 * which one at least must fail, so that it is known that the run finds one.
 */
class JcstressTest {
  private static final List<String> BROKEN =
      List.of(
          ReferenceStress.Broken.class.getCanonicalName(),
          MigrationStress.BrokenQuestion.class.getCanonicalName());
  private static final List<Class<?>> RIGHT =
      List.of(
          ReferenceStress.ReaderAndEviction.class,
          ReferenceStress.LastReaders.class,
          ReferenceStress.EntryIsReused.class,
          ReferenceStress.Publication.class,
          MigrationStress.PublishAndGrow.class,
          MigrationStress.PublishAndRetire.class,
          MigrationStress.RemoveWhileFilling.class,
          PinStress.RetainAndRelease.class,
          PinStress.LateRetains.class);

  @TempDir private Path directory;

  @Test
  void onlyTheBrokenCountFails() throws IOException, InterruptedException {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "two threads at a time");
    ForkedJvm.Result result = Jcstress.run(directory, "org.fastpath.offheap");
    List<String> forbidden = Jcstress.forbidden(result);
    assertThat(forbidden).allMatch(line -> BROKEN.stream().anyMatch(line::contains));
    assertThat(!forbidden.isEmpty() || Jcstress.findsFault(directory, BROKEN.get(0)))
        .as("the run finds the fault of %s", BROKEN.get(0))
        .isTrue();
    for (Class<?> test : RIGHT) {
      assertThat(result.output()).contains("[OK] " + test.getCanonicalName());
    }
    assertThat(result.output()).contains("Error tests: No matches");
  }
}
