package org.fastpath.offheap.reader;

import io.opentelemetry.api.trace.Span;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Provides the blocks of a file that a {@link DataBlockSource} has cached. While a request is
 * traced it provides none. HBase's reader then asks the cache itself and records the look-up.
 */
public final class CachedBlocks implements BlockSource {
  private final HFile.Reader file;
  private final CacheConfig conf;
  private final DataBlockSource cache;

  private CachedBlocks(HFile.Reader file, CacheConfig conf, DataBlockSource cache) {
    this.file = file;
    this.conf = conf;
    this.cache = cache;
  }

  /**
   * Returns the cached blocks of a file, or null if its cache offers no look-up without a key
   * object.
   */
  public static CachedBlocks of(HFile.Reader file, CacheConfig conf) {
    DataBlockSource cache = DataBlockSource.in(conf.getBlockCache().orElse(null));
    return cache == null ? null : new CachedBlocks(file, conf, cache);
  }

  /** Drops a block that other memory holds too. */
  void drop(long offset) {
    cache.drop(file.getName(), offset);
  }

  @Override
  public HFileBlock dataBlock(long offset, boolean caching) {
    return conf.shouldCacheCompressed(BlockType.BlockCategory.DATA)
            || !conf.shouldReadBlockFromCache(BlockType.DATA)
            || Span.current().isRecording()
        ? null
        : cache.dataBlock(file.getName(), offset, caching, file.isPrimaryReplicaReader());
  }
}
