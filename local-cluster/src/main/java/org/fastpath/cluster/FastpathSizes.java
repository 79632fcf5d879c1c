package org.fastpath.cluster;

/**
 * How much memory our modules get.
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

  /** A part of the locked memory stays free for what others cache by directives. */
  private static final double PINNED_SHARE = 0.75;

  /** So little that tests can have several clusters at a time. */
  public static FastpathSizes small() {
    return new FastpathSizes(SMALL, SMALL, (long) (SMALL * PINNED_SHARE));
  }

  /** A quarter of the memory that is available now: half of it caches, half locked memory. */
  static FastpathSizes ofThisMachine(int regionServers, int dataNodes) {
    return of(MemoryCheck.availableBytes(), regionServers, dataNodes);
  }

  static FastpathSizes of(long available, int regionServers, int dataNodes) {
    long cache = share(available / 8 / Math.max(1, regionServers));
    long locked = share(available / 8 / dataNodes);
    return new FastpathSizes(cache, locked, (long) (locked * dataNodes * PINNED_SHARE));
  }

  /** Whole mebibytes within reason. */
  private static long share(long bytes) {
    return Math.max(SMALL, Math.min(LARGEST, bytes / MIB * MIB));
  }

  /** The direct memory of a RegionServer. */
  long directBytes() {
    return cacheBytes + OTHER_DIRECT;
  }
}
