package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {
  @TempDir Path tasks;

  private void thread(String id, String name, String schedstat) throws IOException {
    Path thread = Files.createDirectories(tasks.resolve(id));
    Files.writeString(thread.resolve("schedstat"), schedstat);
    Files.writeString(thread.resolve("comm"), name + "\n");
  }

  @Test
  void everyThreadButTheCompilersHasItsTime() throws IOException {
    thread("17", "Worker-C2 Compi", "123456789 5 6\n");
    thread("18", "main", "1 0 0\n");
    thread("19", "C1 CompilerThre", "20 0 0\n");
    thread("20", "C2 CompilerThre", "30 0 0\n");
    Files.createDirectory(tasks.resolve("ended"));

    assertThat(ThreadTimes.in(tasks).nanos()).isEqualTo(Map.of("17", 123_456_789L, "18", 1L));
  }

  @Test
  void newThreadsCountInFullAndEndedOnesNot() {
    ThreadTimes before = new ThreadTimes(Map.of("1", 100L, "2", 50L));
    ThreadTimes after = new ThreadTimes(Map.of("1", 130L, "3", 7L));

    assertThat(after.since(before)).isEqualTo(37);
  }

  @Test
  void thisProcessHasUsedSome() throws IOException {
    assertThat(ThreadTimes.of(ProcessHandle.current().pid()).since(new ThreadTimes(Map.of())))
        .isPositive();
  }

  @Test
  void aKernelThatDoesNotTellIsAnError() {
    assertThatThrownBy(() -> ThreadTimes.in(tasks))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("CPU time of threads");
  }
}
