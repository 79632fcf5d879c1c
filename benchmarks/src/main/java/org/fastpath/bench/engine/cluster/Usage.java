package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.Locale;
import org.fastpath.cluster.CpuTime;

/**
 * The cost of a piece of work on the servers.
 *
 * @param regionServer CPU time of all threads of the RegionServer: handlers, compaction, garbage
 *     collection and JIT compilation
 * @param dataNode CPU time of the DataNode's process
 * @param wallNanos time from the beginning to the end
 */
public record Usage(CpuTime regionServer, CpuTime dataNode, long wallNanos) {
  private static final double NANOS = 1e9;

  /** Work to measure. */
  @FunctionalInterface
  public interface Work {
    /** Does the work. */
    void run() throws IOException;
  }

  /** Runs the work and reads the servers' CPU times before and after. */
  public static Usage of(Cluster cluster, Work work) throws IOException {
    CpuTime serverBefore = cluster.regionServer().cpuTime();
    CpuTime dataBefore = cluster.dataNode().cpuTime();
    long begin = System.nanoTime();
    work.run();
    long wall = System.nanoTime() - begin;
    return new Usage(
        cluster.regionServer().cpuTime().minus(serverBefore),
        cluster.dataNode().cpuTime().minus(dataBefore),
        wall);
  }

  /** Returns the RegionServer's time in user mode. */
  public double userSeconds() {
    return regionServer.userNanos() / NANOS;
  }

  /** Returns the RegionServer's time in the kernel. */
  public double systemSeconds() {
    return regionServer.systemNanos() / NANOS;
  }

  /** Returns user and system time of the RegionServer. */
  public double cpuSeconds() {
    return regionServer.totalNanos() / NANOS;
  }

  /** Returns user and system time of the DataNode. */
  public double dataNodeSeconds() {
    return dataNode.totalNanos() / NANOS;
  }

  /** Returns the elapsed time. */
  public double wallSeconds() {
    return wallNanos / NANOS;
  }

  /** Returns one line for people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.2f s user + %.2f s system in the RegionServer, %.2f s in the DataNode, "
            + "%.1f s elapsed",
        userSeconds(),
        systemSeconds(),
        dataNodeSeconds(),
        wallSeconds());
  }
}
