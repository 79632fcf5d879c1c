package org.fastpath.bench.engine.cluster;

import java.io.IOException;

/**
 * What a RegionServer has DataNodes keep in memory.
 *
 * @param pinnedBytes that it asks for
 * @param cachedBytes that they have
 * @param changes files pinned or unpinned so far
 */
public record Pins(long pinnedBytes, long cachedBytes, long changes) {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=HdfsCachePins";

  /** What the RegionServer shows, perhaps a second old; nothing if its side pins no files. */
  public static Pins of(Cluster cluster, Side side) throws IOException {
    if (!side.pinsFiles()) {
      return new Pins(0, 0, 0);
    }
    return new Pins(
        cluster.counter(BEAN, "pinnedBytes"),
        cluster.counter(BEAN, "cachedBytes"),
        cluster.counter(BEAN, "pinCount") + cluster.counter(BEAN, "unpinCount"));
  }
}
