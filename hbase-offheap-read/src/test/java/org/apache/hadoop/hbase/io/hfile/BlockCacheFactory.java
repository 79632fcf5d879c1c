package org.apache.hadoop.hbase.io.hfile;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.fastpath.offheap.cache.CombinedCaches;

/**
 * Replaces HBase's class of this name in JVMs that run HBase's own tests. Whatever cache a test
 * configures, it gets the off-heap cache behind a first level of HBase's. No jar contains this
 * class.
 */
public final class BlockCacheFactory {
  public static final String BLOCKCACHE_POLICY_KEY = "hfile.block.cache.policy";
  public static final String BLOCKCACHE_POLICY_DEFAULT = "LRU";
  public static final String BLOCKCACHE_BLOCKSIZE_KEY = "hbase.blockcache.minblocksize";
  public static final String BLOCKCACHE_STATS_PERIOD_MINUTES_KEY =
      "hbase.blockcache.stats.period.minutes";
  public static final int DEFAULT_BLOCKCACHE_STATS_PERIOD_MINUTES = 5;
  public static final String BLOCKCACHE_STATS_PERIODS = "hbase.blockcache.stats.periods";
  public static final int DEFAULT_BLOCKCACHE_STATS_PERIODS = 12;
  public static final String BUCKET_CACHE_WRITER_THREADS_KEY = "hbase.bucketcache.writer.threads";
  public static final String BUCKET_CACHE_WRITER_QUEUE_KEY = "hbase.bucketcache.writer.queuelength";
  public static final String BUCKET_CACHE_BUCKETS_KEY = "hbase.bucketcache.bucket.sizes";

  private BlockCacheFactory() {}

  public static BlockCache createBlockCache(Configuration conf, Map<String, HRegion> online) {
    return createBlockCache(conf);
  }

  public static BlockCache createBlockCache(Configuration conf) {
    long size = MemorySizeUtil.getOnHeapCacheSize(conf);
    return size < 0 ? null : CombinedCaches.create(conf, firstLevel(conf, size));
  }

  private static FirstLevelBlockCache firstLevel(Configuration conf, long size) {
    int blockSize = conf.getInt(BLOCKCACHE_BLOCKSIZE_KEY, HConstants.DEFAULT_BLOCKSIZE);
    return switch (conf.get(BLOCKCACHE_POLICY_KEY, BLOCKCACHE_POLICY_DEFAULT)) {
      case "TinyLFU" -> new TinyLfuBlockCache(size, blockSize, Runnable::run, conf);
      case "AdaptiveLRU" -> new LruAdaptiveBlockCache(size, blockSize, true, conf);
      default -> new LruBlockCache(size, blockSize, true, conf);
    };
  }
}
