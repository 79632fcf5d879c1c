package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.Jcstress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the jcstress tests, briefly. For longer: the system property {@code jcstress.millis} is the
 * time of an iteration. One of them has a mistake and must fail, so that it is known that the run
 * finds one.
 */
class JcstressTest {
  private static final String BROKEN = CounterStress.Broken.class.getCanonicalName();
  private static final List<Class<?>> RIGHT =
      List.of(
          CounterStress.Striped.class,
          CounterStress.Compact.class,
          CounterStress.TwoOwners.class,
          CounterStress.GreatestWhileAMinuteEnds.class,
          AggregateStress.LeaveAndJoin.class,
          AggregateStress.TheSameTwice.class,
          AggregateStress.LeavesRollUp.class);

  @TempDir private Path directory;

  @Test
  void onlyTheBrokenCounterFails() throws IOException, InterruptedException {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "two threads at a time");
    ForkedJvm.Result result = Jcstress.run(directory, "org.fastpath.metrics");
    List<String> forbidden = Jcstress.forbidden(result);
    assertThat(forbidden).allMatch(line -> line.contains(BROKEN));
    assertThat(!forbidden.isEmpty() || Jcstress.findsFault(directory, BROKEN))
        .as("the run finds the fault of %s", BROKEN)
        .isTrue();
    for (Class<?> test : RIGHT) {
      assertThat(result.output()).contains("[OK] " + test.getCanonicalName());
    }
    assertThat(result.output()).contains("Error tests: No matches");
  }
}
