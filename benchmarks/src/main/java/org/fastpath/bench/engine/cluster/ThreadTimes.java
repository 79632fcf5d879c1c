package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of every thread of a process, user and system together, in nanoseconds. The kernel
 * counts the time of the whole process, ended threads included, in steps of 10 ms. That is too
 * coarse if a percent of a tenth of a second counts.
 */
public record ThreadTimes(Map<String, Long> nanos) {
  public static ThreadTimes of(long pid) throws IOException {
    return in(Path.of("/proc", Long.toString(pid), "task"));
  }

  static ThreadTimes in(Path tasks) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          String schedstat = Files.readString(thread.resolve("schedstat"));
          String time = schedstat.substring(0, schedstat.indexOf(' '));
          nanos.put(thread.getFileName().toString(), Long.valueOf(time));
        } catch (NoSuchFileException e) {
          // The thread has ended meanwhile.
        }
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
