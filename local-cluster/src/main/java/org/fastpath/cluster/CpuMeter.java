package org.fastpath.cluster;

import java.io.IOException;
import java.util.Map;

/**
 * Measures the CPU time of a JVM from its creation on, without the threads of the JIT compiler. In
 * a process that has just started, the compiler takes a fifth of the time or more.
 *
 * <p>A compiler's thread that ends meanwhile counts as work. Not thread-safe.
 */
public final class CpuMeter {
  private final long pid;
  private final CpuTime before;
  private final Map<String, CpuTime> compilerBefore;

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
    for (Map.Entry<String, CpuTime> thread : compiler().entrySet()) {
      CpuTime earlier = compilerBefore.getOrDefault(thread.getKey(), new CpuTime(0, 0));
      work = work.minus(thread.getValue().minus(earlier));
    }
    return work;
  }

  /** Returns the CPU time of each thread of the compiler. */
  private Map<String, CpuTime> compiler() throws IOException {
    return JvmThreads.read(JvmThreads.of(pid), true, thread -> CpuTime.of(thread.resolve("stat")));
  }
}
