package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures the CPU time of a JVM from its creation on, without the threads of the JIT compiler. In
 * a process that has just started, the compiler takes a fifth of the time or more.
 *
 * <p>A compiler's thread that ends meanwhile counts as work. Not thread-safe.
 */
public final class CpuMeter {
  /** Linux cuts names of threads after 15 characters. */
  private static final String COMPILER = "C[12] CompilerThre\\n";

  private final long pid;
  private final CpuTime before;
  private final Map<Path, CpuTime> compilerBefore;

  /**
   * Begins to measure a process of this machine.
   *
   * @throws IOException if there is no such process
   */
  CpuMeter(long pid) throws IOException {
    this.pid = pid;
    compilerBefore = compiler();
    before = CpuTime.ofProcess(pid);
  }

  /**
   * Returns the time since the creation.
   *
   * @throws IOException if the process is gone
   */
  public CpuTime elapsed() throws IOException {
    CpuTime work = CpuTime.ofProcess(pid).minus(before);
    for (Map.Entry<Path, CpuTime> thread : compiler().entrySet()) {
      CpuTime earlier = compilerBefore.getOrDefault(thread.getKey(), new CpuTime(0, 0));
      work = work.minus(thread.getValue().minus(earlier));
    }
    return work;
  }

  /**
   * Returns whether a thread is one of the compiler's.
   *
   * @param thread its directory in /proc
   * @throws IOException if it has ended
   */
  static boolean isCompiler(Path thread) throws IOException {
    return Files.readString(thread.resolve("comm")).matches(COMPILER);
  }

  /** Returns the CPU time of each thread of the compiler. */
  private Map<Path, CpuTime> compiler() throws IOException {
    Map<Path, CpuTime> times = new HashMap<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        try {
          if (isCompiler(thread)) {
            times.put(thread, CpuTime.of(thread.resolve("stat")));
          }
        } catch (IOException e) {
          // The thread has just ended.
        }
      }
    }
    return times;
  }
}
