package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * A cache that finds a data block without a key object, and gives it without the buffers that only
 * HBase's own readers look at. Safe from any thread.
 */
public interface DataBlockSource {
  /**
   * Finds a data block. A hit is counted as one; a miss is not, since who misses asks in HBase's
   * way next.
   *
   * @param file the name of its file, as in a {@code BlockCacheKey}
   * @param caching whether the reader would cache the block
   * @param primary whether it reads for a primary replica
   * @return the block, held for the caller, or null; it may be an encoded one
   */
  HFileBlock dataBlock(String file, long offset, boolean caching, boolean primary);

  /** Drops a block that is in other memory too, if it is cached. */
  void drop(String file, long offset);

  /** Bytes of a file's blocks that it has, with their headers and what it keeps beside them. */
  long cachedBytes(String file);

  /** The source among a RegionServer's caches, or null. */
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
