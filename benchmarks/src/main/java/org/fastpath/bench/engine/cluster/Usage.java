package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.fastpath.cluster.CpuMeter;
import org.fastpath.cluster.CpuTime;

/**
 * The cost of a piece of work on the servers.
 *
 * @param regionServer CPU time of all threads of the RegionServer but the JIT compiler's: handlers,
 *     compaction and garbage collection
 */
public record Usage(CpuTime regionServer, CpuTime dataNode, long wallNanos) {
  /** Runs the work and measures the CPU times of the servers meanwhile. */
  public static Usage of(Cluster cluster, InvocationRaisingIOE work) throws IOException {
    CpuMeter regionServer = cluster.regionServer().cpuMeter();
    CpuMeter dataNode = cluster.dataNode().cpuMeter();
    long begin = System.nanoTime();
    work.apply();
    long wall = System.nanoTime() - begin;
    return new Usage(regionServer.elapsed(), dataNode.elapsed(), wall);
  }

  public double cpuSeconds() {
    return regionServer.totalNanos() / 1e9;
  }

  public double dataNodeSeconds() {
    return dataNode.totalNanos() / 1e9;
  }
}
