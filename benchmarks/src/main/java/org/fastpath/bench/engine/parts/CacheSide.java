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

/** The caches that are compared, each as a RegionServer would make it with default settings. */
public enum CacheSide {
  /** Stock: the I/O engine offheap, buckets of HBase's own sizes. */
  BUCKET_CACHE("bucket-cache", "HBase's BucketCache, offheap, default settings") {
    @Override
    public BlockCache create(long bytes) {
      return bucketCache(bytes, null);
    }

    /** Buckets that hold small blocks: their number, and with it the heap, is what matters. */
    @Override
    public BlockCache createForSmallBlocks(long bytes, int blockBytes) {
      int bucket = (blockBytes + BUCKET_UNIT) / BUCKET_UNIT * BUCKET_UNIT;
      return bucketCache(bytes, new int[] {bucket});
    }
  },
  /** HBase's own first-level cache over Caffeine. */
  CAFFEINE("caffeine", "blocks on the heap: HBase's TinyLfuBlockCache over Caffeine") {
    @Override
    public BlockCache create(long bytes) {
      return new TinyLfuBlockCache(
          bytes,
          HConstants.DEFAULT_BLOCKSIZE,
          ForkJoinPool.commonPool(),
          HBaseConfiguration.create());
    }
  },
  /** The cache of this project. */
  OURS("ours", "OffHeapBlockCache, default settings") {
    @Override
    public BlockCache create(long bytes) {
      return OffHeapBlockCache.create(configuration(bytes));
    }

    /** There can be as many blocks as there are of the average size. */
    @Override
    public BlockCache createForSmallBlocks(long bytes, int blockBytes) {
      Configuration configuration = configuration(bytes);
      configuration.setInt(OUR_AVERAGE_BLOCK, blockBytes);
      return OffHeapBlockCache.create(configuration);
    }

    @Override
    public boolean grows() {
      return true;
    }
  },
  /** The cache of this project in an earlier build. */
  BEFORE("before", "OffHeapBlockCache of an earlier build, default settings") {
    @Override
    public BlockCache create(long bytes) {
      return OURS.create(bytes);
    }

    @Override
    public BlockCache createForSmallBlocks(long bytes, int blockBytes) {
      return OURS.createForSmallBlocks(bytes, blockBytes);
    }

    @Override
    public World world() {
      return World.OFF_HEAP_BEFORE;
    }

    @Override
    public boolean grows() {
      return true;
    }
  };

  private static final String OUR_SIZE = "hbase.fastpath.offheap-cache.size";
  private static final String OUR_AVERAGE_BLOCK = "hbase.fastpath.offheap-cache.average-block-size";

  /** What bucket sizes must be a multiple of. */
  private static final int BUCKET_UNIT = 1024;

  private final String id;
  private final String description;

  CacheSide(String id, String description) {
    this.id = id;
    this.description = description;
  }

  /** The name in results. */
  public String id() {
    return id;
  }

  public String description() {
    return description;
  }

  public static CacheSide of(String id) {
    return Arrays.stream(values())
        .filter(side -> side.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no cache " + id));
  }

  /** A cache of so many bytes. */
  public abstract BlockCache create(long bytes);

  /** The same, prepared for many blocks that are much smaller than HBase's. */
  public BlockCache createForSmallBlocks(long bytes, int blockBytes) {
    return create(bytes);
  }

  /** The world that has this cache. */
  public World world() {
    return World.OFF_HEAP;
  }

  /** Whether it can get another size while it is in use. */
  public boolean grows() {
    return false;
  }

  /** How our cache is told another size. */
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
