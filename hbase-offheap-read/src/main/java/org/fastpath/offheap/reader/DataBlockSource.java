package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * A cache that finds a data block without a key object. It returns the block without the buffers
 * that only HBase's own readers use. Thread-safe.
 */
public interface DataBlockSource {
  /**
   * Finds a data block. A hit is counted as a hit. A miss is not counted, because the caller then
   * asks in HBase's way.
   *
   * @param file the name of its file, as in a {@code BlockCacheKey}
   * @param caching whether the reader would cache the block
   * @param primary whether it reads for a primary replica
   * @return the block, held for the caller, or null; it may be an encoded one
   */
  HFileBlock dataBlock(String file, long offset, boolean caching, boolean primary);

  /** Drops a cached block that other memory holds too. */
  void drop(String file, long offset);

  /**
   * Returns the bytes of a file's cached blocks, with their headers and the data that the cache
   * stores beside them.
   */
  long cachedBytes(String file);

  /** Returns the source among a RegionServer's caches, or null. */
  static DataBlockSource in(BlockCache cache) {
    if (cache instanceof DataBlockSource source) {
      return source;
    }
    BlockCache[] parts = cache == null ? null : cache.getBlockCaches();
    if (parts != null) {
      for (BlockCache part : parts) {
        DataBlockSource source = in(part);
        if (source != null) {
          return source;
        }
      }
    }
    return null;
  }
}
