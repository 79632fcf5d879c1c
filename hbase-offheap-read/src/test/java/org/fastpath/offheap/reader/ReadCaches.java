package org.fastpath.offheap.reader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.fastpath.offheap.cache.ReaderCaches;

/**
 * One cache of each kind, and the pool for blocks that no cache holds. All are small, so blocks are
 * evicted. Not thread-safe.
 */
final class ReadCaches implements AutoCloseable {
  /** The source of a reader's blocks. */
  enum Kind {
    /** The file, read into heap memory. */
    NONE,
    /** The file, read into a pool of 4 KB buffers off the heap. */
    POOL,
    LRU,
    BUCKET,
    OFF_HEAP,
    /** {@link #OFF_HEAP} in debug mode, which overwrites freed memory. */
    POISONED,
    /** {@link #POISONED} with most blocks in parts. */
    FRAGMENTED,
    PATCHWORK
  }

  private static final long FIRST_LEVEL_BYTES = 8 << 20;
  private static final int[] BUCKETS = {2 << 10, 6 << 10, 18 << 10, 68 << 10, 260 << 10};
  private static final int AVERAGE_BLOCK_SIZE = 4 << 10;
  private static final String SECOND_LEVEL_SIZE_KEY = "hbase.fastpath.offheap-cache.size";

  private static final String AVERAGE_BLOCK_SIZE_KEY =
      "hbase.fastpath.offheap-cache.average-block-size";
  private static final String READER_KEY = "hbase.fastpath.offheap-reader.enabled";

  private final Configuration conf;
  private final SplittableRandom random;
  private final ByteBuffAllocator pool;
  private final BlockCache reference = lru();
  private final Map<Kind, BlockCache> caches = new EnumMap<>(Kind.class);

  ReadCaches(Configuration conf, SplittableRandom random) {
    this.random = random;
    this.conf = new Configuration(conf);
    this.conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4 << 10);
    this.conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1024);
    this.conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    this.conf.set(SECOND_LEVEL_SIZE_KEY, "4m");
    this.conf.set(AVERAGE_BLOCK_SIZE_KEY, "1k");
    this.conf.setBoolean(READER_KEY, true);
    this.pool = ByteBuffAllocator.create(this.conf, true);
  }

  /**
   * Returns the configuration of the reference reader: a cache of its own, on the heap, without the
   * pool.
   */
  CacheConfig reference() {
    return new CacheConfig(conf, null, reference, ByteBuffAllocator.HEAP);
  }

  /**
   * Returns a configuration.
   *
   * @param compressed whether the cache keeps blocks of a compressed file compressed
   */
  CacheConfig config(Kind kind, boolean compressed) {
    Configuration own = new Configuration(conf);
    own.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, compressed);
    return new CacheConfig(
        own, null, cache(kind), kind == Kind.NONE ? ByteBuffAllocator.HEAP : pool);
  }

  /** Evicts a file's blocks. A holder keeps its block. */
  void evict(Kind kind, String file) {
    BlockCache cache = cache(kind);
    if (cache != null) {
      cache.evictBlocksByHfileName(file);
    }
  }

  private BlockCache cache(Kind kind) {
    return caches.computeIfAbsent(kind, this::create);
  }

  private BlockCache create(Kind kind) {
    return switch (kind) {
      case NONE, POOL -> null;
      case LRU -> lru();
      case BUCKET -> new CombinedBlockCache(lru(), bucketCache());
      case OFF_HEAP -> ReaderCaches.create(conf, lru(), false);
      case POISONED -> ReaderCaches.create(conf, lru(), true);
      case FRAGMENTED -> ReaderCaches.fragmented(conf, lru(), random);
      case PATCHWORK -> new PatchworkCache(random, 5, (byte) 0xA5);
    };
  }

  private static LruBlockCache lru() {
    return new LruBlockCache(FIRST_LEVEL_BYTES, AVERAGE_BLOCK_SIZE);
  }

  private static BucketCache bucketCache() {
    try {
      return new BucketCache("offheap", 16 << 20, AVERAGE_BLOCK_SIZE, BUCKETS, 1, 64, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the number of held blocks of a cache and of the pool. It grows if a reader forgets a
   * release. For {@link Kind#BUCKET} it is unknown, because BucketCache holds blocks until its
   * writer has copied them.
   */
  long held(Kind kind) {
    long buffers = pool.getUsedBufferCount() - pool.getFreeBufferCount();
    return switch (kind) {
      case NONE, POOL, LRU -> buffers;
      case BUCKET -> 0;
      case OFF_HEAP, POISONED, FRAGMENTED ->
          buffers + ReaderCaches.heldBytes((CombinedBlockCache) cache(kind));
      case PATCHWORK -> buffers + ((PatchworkCache) cache(kind)).held();
    };
  }

  @Override
  public void close() {
    reference.shutdown();
    caches.values().forEach(BlockCache::shutdown);
    pool.clean();
  }
}
