package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of every thread of a process, user and system together, in nanoseconds. The kernel
 * counts the time of the whole process, ended threads included, in steps of 10 ms. That is too
 * coarse if a percent of a tenth of a second counts.
 *
 * @param nanos by thread
 */
public record ThreadTimes(Map<String, Long> nanos) {
  /** Returns the times of the process's current threads. */
  public static ThreadTimes of(long pid) throws IOException {
    return in(Path.of("/proc", Long.toString(pid), "task"));
  }

  static ThreadTimes in(Path tasks) throws IOException {
    List<Path> threads;
    try (Stream<Path> list = Files.list(tasks)) {
      threads = list.toList();
    }
    Map<String, Long> nanos = new HashMap<>();
    for (Path thread : threads) {
      try {
        String schedstat = Files.readString(thread.resolve("schedstat"));
        nanos.put(
            thread.getFileName().toString(),
            Long.parseLong(schedstat.substring(0, schedstat.indexOf(' '))));
      } catch (NoSuchFileException e) {
        // The thread has ended meanwhile.
      }
    }
    if (nanos.isEmpty()) {
      throw new IOException("the kernel does not show the CPU time of threads in " + tasks);
    }
    return new ThreadTimes(nanos);
  }

  /**
   * Returns the time that was used since {@code earlier}. Threads that have ended meanwhile are not
   * counted. A busy server ends few threads.
   */
  public long since(ThreadTimes earlier) {
    return nanos.entrySet().stream()
        .mapToLong(entry -> entry.getValue() - earlier.nanos.getOrDefault(entry.getKey(), 0L))
        .sum();
  }
}
