package org.fastpath.offheap.cache;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/**
 * Both levels of a RegionServer's cache, without the server. In this package because only the
 * server makes them otherwise.
 */
public final class ServerCaches {
  private ServerCaches() {}

  /** Owns both levels. */
  public static BlockCache combined(FirstLevelBlockCache first, OffHeapBlockCache second) {
    return new OffHeapCombinedBlockCache(first, second, () -> {});
  }
}
