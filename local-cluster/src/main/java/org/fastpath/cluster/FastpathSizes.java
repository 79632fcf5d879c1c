package org.fastpath.cluster;

/**
 * The memory of our modules.
 *
 * @param cacheBytes the off-heap block cache of each RegionServer
 * @param lockedBytes the locked memory of each DataNode
 * @param pinnedBytes the part of all DataNodes' locked memory that RegionServers may fill
 */
public record FastpathSizes(long cacheBytes, long lockedBytes, long pinnedBytes) {
  private static final long MIB = 1L << 20;
  private static final long SMALL = 64 * MIB;
  private static final long LARGEST = 16L << 30;

  /** Direct memory of a RegionServer beside its cache: buffers of RPCs and of HDFS's client. */
  private static final long OTHER_DIRECT = 256 * MIB;

  /** The pinned part of the locked memory. The rest is for directives of others. */
  private static final double PINNED_SHARE = 0.75;

  /** Returns sizes so small that tests can run several clusters at a time. */
  public static FastpathSizes small() {
    return new FastpathSizes(SMALL, SMALL, (long) (SMALL * PINNED_SHARE));
  }

  /** Returns sizes for a quarter of the available memory: half of it caches, half locked memory. */
  static FastpathSizes ofThisMachine(int regionServers, int dataNodes) {
    return of(MemoryCheck.availableBytes(), regionServers, dataNodes);
  }

  static FastpathSizes of(long available, int regionServers, int dataNodes) {
    long cache = share(available / 8 / Math.max(1, regionServers));
    long locked = share(available / 8 / dataNodes);
    return new FastpathSizes(cache, locked, (long) (locked * dataNodes * PINNED_SHARE));
  }

  /** Returns whole mebibytes within limits. */
  private static long share(long bytes) {
    return Math.max(SMALL, Math.min(LARGEST, bytes / MIB * MIB));
  }

  /** Returns the direct memory of a RegionServer. */
  long directBytes() {
    return cacheBytes + OTHER_DIRECT;
  }
}
