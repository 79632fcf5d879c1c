package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.Locale;
import org.fastpath.cluster.CpuTime;
import org.fastpath.cluster.Daemon;

/**
 * What a piece of work cost the servers.
 *
 * @param regionServer CPU time of the RegionServer's process, all threads: handlers, compaction,
 *     garbage collection and JIT compilation
 * @param dataNode CPU time of the DataNode's process
 * @param wallNanos time from the beginning to the end
 */
public record Usage(CpuTime regionServer, CpuTime dataNode, long wallNanos) {
  private static final double NANOS = 1e9;

  /** Something to measure. */
  @FunctionalInterface
  public interface Work {
    /** Does it. */
    void run() throws IOException;
  }

  /** Runs the work and reads the processes' CPU times before and after. */
  public static Usage of(Daemon regionServer, Daemon dataNode, Work work) throws IOException {
    CpuTime serverBefore = regionServer.cpuTime();
    CpuTime dataBefore = dataNode.cpuTime();
    long begin = System.nanoTime();
    work.run();
    long wall = System.nanoTime() - begin;
    return new Usage(
        regionServer.cpuTime().minus(serverBefore), dataNode.cpuTime().minus(dataBefore), wall);
  }

  /** Time in user mode, of the RegionServer. */
  public double userSeconds() {
    return regionServer.userNanos() / NANOS;
  }

  /** Time in the kernel, of the RegionServer. */
  public double systemSeconds() {
    return regionServer.systemNanos() / NANOS;
  }

  /** User and system time of the RegionServer. */
  public double cpuSeconds() {
    return regionServer.totalNanos() / NANOS;
  }

  /** User and system time of the DataNode. */
  public double dataNodeSeconds() {
    return dataNode.totalNanos() / NANOS;
  }

  /** Time that passed. */
  public double wallSeconds() {
    return wallNanos / NANOS;
  }

  /** One line for a person. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.2f s user + %.2f s system in the RegionServer, %.2f s in the DataNode, %.1f s in all",
        userSeconds(),
        systemSeconds(),
        dataNodeSeconds(),
        wallSeconds());
  }
}
