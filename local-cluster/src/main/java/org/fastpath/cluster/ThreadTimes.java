package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * CPU time of every thread of a JVM but the JIT compiler's, in nanoseconds. A server that runs for
 * days compiles no more. The kernel counts a whole process in steps of 10 ms. That is too coarse if
 * a percent of a tenth of a second counts.
 */
public record ThreadTimes(Map<String, Long> nanos) {
  public static ThreadTimes of(long pid) throws IOException {
    return in(JvmThreads.of(pid));
  }

  static ThreadTimes in(Path tasks) throws IOException {
    Map<String, Long> nanos = JvmThreads.read(tasks, false, ThreadTimes::nanos);
    if (nanos.isEmpty()) {
      throw new IOException("the kernel does not show the CPU time of threads in " + tasks);
    }
    return new ThreadTimes(nanos);
  }

  private static Long nanos(Path thread) throws IOException {
    return Long.valueOf(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
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
