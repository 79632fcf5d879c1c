package org.fastpath.bench.engine.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.TinyLfuBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.offheap.cache.OffHeapBlockCache;

/** The compared caches, each as a RegionServer creates it with default settings. */
public enum CacheVariant {
  /** Stock: the I/O engine offheap with HBase's own bucket sizes. */
  BUCKET_CACHE("HBase's BucketCache, offheap, default settings"),
  /** HBase's own first-level cache over Caffeine. */
  CAFFEINE("blocks on the heap: HBase's TinyLfuBlockCache over Caffeine"),
  OURS("OffHeapBlockCache, default settings");

  private final String description;

  CacheVariant(String description) {
    this.description = description;
  }

  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String description() {
    return description;
  }

  public static CacheVariant of(String id) {
    return Experiment.named("cache", id, List.of(values()), CacheVariant::id);
  }

  public BlockCache create(long bytes) {
    return create(bytes, null, configuration(bytes));
  }

  /**
   * Creates a cache for many blocks that are much smaller than HBase's. BucketCache has buckets of
   * that size, because their number determines the heap in use. Ours allows as many blocks as fit.
   */
  public BlockCache createForSmallBlocks(long bytes, int blockBytes) {
    // Bucket sizes are multiples of 1,024.
    int[] buckets = {(blockBytes + 1024) / 1024 * 1024};
    Configuration configuration = configuration(bytes);
    configuration.setInt("hbase.fastpath.offheap-cache.average-block-size", blockBytes);
    return create(bytes, buckets, configuration);
  }

  private BlockCache create(long bytes, int[] buckets, Configuration configuration) {
    return switch (this) {
      case BUCKET_CACHE -> bucketCache(bytes, buckets);
      case CAFFEINE ->
          new TinyLfuBlockCache(
              bytes, HConstants.DEFAULT_BLOCKSIZE, ForkJoinPool.commonPool(), configuration);
      case OURS -> OffHeapBlockCache.create(configuration);
    };
  }

  private static Configuration configuration(long bytes) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setLong("hbase.fastpath.offheap-cache.size", bytes);
    return configuration;
  }

  private static BlockCache bucketCache(long bytes, int[] bucketSizes) {
    try {
      return new BucketCache(
          "offheap",
          bytes,
          HConstants.DEFAULT_BLOCKSIZE,
          bucketSizes,
          BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS,
          BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE,
          null,
          BucketCache.DEFAULT_ERROR_TOLERATION_DURATION,
          HBaseConfiguration.create());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
