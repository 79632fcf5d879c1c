package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of every thread of a JVM but the JIT compiler's, in nanoseconds. A server that runs for
 * days compiles no more. The kernel counts a whole process in steps of 10 ms. That is too coarse if
 * a percent of a tenth of a second counts.
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
          if (!CpuMeter.isCompiler(thread)) {
            String schedstat = Files.readString(thread.resolve("schedstat"));
            nanos.put(thread.getFileName().toString(), Long.valueOf(schedstat.split(" ")[0]));
          }
        } catch (IOException e) {
          // The thread has ended meanwhile. The kernel may say so by two errors.
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
