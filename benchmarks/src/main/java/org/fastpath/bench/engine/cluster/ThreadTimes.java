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
 * CPU time of every thread of a process, user and system together, to the nanosecond. The time of
 * the whole process, which also knows threads that have ended, comes in steps of 10 ms only: too
 * coarse for a tenth of a second of work in which a percent counts.
 *
 * @param nanos by thread
 */
public record ThreadTimes(Map<String, Long> nanos) {
  /** The threads of the process now. */
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
        // It has ended since.
      }
    }
    if (nanos.isEmpty()) {
      throw new IOException("the kernel does not tell the CPU time of threads: " + tasks);
    }
    return new ThreadTimes(nanos);
  }

  /**
   * What was used since {@code earlier}. A thread that has ended meanwhile is not counted; a server
   * at work ends few of them.
   */
  public long since(ThreadTimes earlier) {
    return nanos.entrySet().stream()
        .mapToLong(entry -> entry.getValue() - earlier.nanos.getOrDefault(entry.getKey(), 0L))
        .sum();
  }
}
