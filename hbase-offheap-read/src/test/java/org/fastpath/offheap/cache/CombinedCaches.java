package org.fastpath.offheap.cache;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/** Makes the cache of a RegionServer without a RegionServer. */
public final class CombinedCaches {
  private static final String DEFAULT_SIZE = "64m";

  private CombinedCaches() {}

  /** In debug mode, of the configured size or a small one, even where BucketCache is asked for. */
  public static CombinedBlockCache create(Configuration conf, FirstLevelBlockCache first) {
    Configuration ours = new Configuration(conf);
    ours.unset(HConstants.BUCKET_CACHE_IOENGINE_KEY);
    ours.setIfUnset(CacheOptions.SIZE, DEFAULT_SIZE);
    // HBase's tests make blocks of 2 KB.
    ours.setIfUnset(CacheOptions.AVERAGE_BLOCK_SIZE, "1k");
    ours.setBoolean(CacheOptions.DEBUG, true);
    return new OffHeapCombinedBlockCache(first, OffHeapBlockCache.create(ours), () -> {});
  }
}
