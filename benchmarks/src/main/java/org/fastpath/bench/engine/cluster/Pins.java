package org.fastpath.bench.engine.cluster;

import java.io.IOException;

/**
 * The pins of a RegionServer in the DataNodes' memory.
 *
 * @param pinnedBytes bytes of its pins
 * @param cachedBytes bytes of them in memory
 * @param changes files pinned or unpinned so far
 */
public record Pins(long pinnedBytes, long cachedBytes, long changes) {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=HdfsCachePins";

  /** Returns the RegionServer's metrics, up to a second old; zeros if its variant pins no files. */
  public static Pins of(Cluster cluster, Variant variant) throws IOException {
    if (!variant.pinsFiles()) {
      return new Pins(0, 0, 0);
    }
    return new Pins(
        cluster.counter(BEAN, "pinnedBytes"),
        cluster.counter(BEAN, "cachedBytes"),
        cluster.counter(BEAN, "pinCount") + cluster.counter(BEAN, "unpinCount"));
  }
}
