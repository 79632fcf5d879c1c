package org.fastpath.bench.engine.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.TinyLfuBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.fastpath.bench.engine.World;
import org.fastpath.offheap.cache.OffHeapBlockCache;

/** The compared caches, each as a RegionServer creates it with default settings. */
public enum CacheVariant {
  /** Stock: the I/O engine offheap with HBase's own bucket sizes. */
  BUCKET_CACHE("bucket-cache", "HBase's BucketCache, offheap, default settings"),
  /** HBase's own first-level cache over Caffeine. */
  CAFFEINE("caffeine", "blocks on the heap: HBase's TinyLfuBlockCache over Caffeine"),
  /** The cache of this project. */
  OURS("ours", "OffHeapBlockCache, default settings"),
  /** The cache of an earlier build of this project. */
  BEFORE("before", "OffHeapBlockCache of an earlier build, default settings");

  private static final String OUR_SIZE = "hbase.fastpath.offheap-cache.size";
  private static final String OUR_AVERAGE_BLOCK = "hbase.fastpath.offheap-cache.average-block-size";

  /** Bucket sizes are multiples of this number. */
  private static final int BUCKET_UNIT = 1024;

  private final String id;
  private final String description;

  CacheVariant(String id, String description) {
    this.id = id;
    this.description = description;
  }

  /** Returns the name in results. */
  public String id() {
    return id;
  }

  public String description() {
    return description;
  }

  public static CacheVariant of(String id) {
    return Arrays.stream(values())
        .filter(variant -> variant.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no cache " + id));
  }

  /** Creates a cache of the given size in bytes. */
  public BlockCache create(long bytes) {
    return switch (this) {
      case BUCKET_CACHE -> bucketCache(bytes, null);
      case CAFFEINE ->
          new TinyLfuBlockCache(
              bytes,
              HConstants.DEFAULT_BLOCKSIZE,
              ForkJoinPool.commonPool(),
              HBaseConfiguration.create());
      case OURS, BEFORE -> OffHeapBlockCache.create(configuration(bytes));
    };
  }

  /**
   * Creates a cache for many blocks that are much smaller than HBase's. BucketCache has buckets of
   * that size, because their number determines the heap in use. Ours allows as many blocks as fit.
   */
  public BlockCache createForSmallBlocks(long bytes, int blockBytes) {
    return switch (this) {
      case BUCKET_CACHE -> {
        int bucket = (blockBytes + BUCKET_UNIT) / BUCKET_UNIT * BUCKET_UNIT;
        yield bucketCache(bytes, new int[] {bucket});
      }
      case CAFFEINE -> create(bytes);
      case OURS, BEFORE -> {
        Configuration configuration = configuration(bytes);
        configuration.setInt(OUR_AVERAGE_BLOCK, blockBytes);
        yield OffHeapBlockCache.create(configuration);
      }
    };
  }

  /** Returns the world that has this cache. */
  public World world() {
    return this == BEFORE ? World.OFF_HEAP_BEFORE : World.OFF_HEAP;
  }

  /** Returns whether its size can change during use. */
  public boolean grows() {
    return this == OURS || this == BEFORE;
  }

  /** Returns the configuration that gives our cache another size. */
  public static Configuration configuration(long bytes) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setLong(OUR_SIZE, bytes);
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
