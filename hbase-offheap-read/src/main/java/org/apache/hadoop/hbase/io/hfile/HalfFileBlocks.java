package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * Evicts the cached blocks of half a file when the half is compacted away. HBase 2.6.4 does this
 * too, but never closes the scanner that it uses. So the block with the split key stays pinned in
 * the cache forever.
 *
 * <p>Thread-safe.
 */
public final class HalfFileBlocks {
  private HalfFileBlocks() {}

  /**
   * Evicts the blocks, and those cached under the name of the reference.
   *
   * @param split the first possible key of the top half
   */
  public static void evict(
      BlockCache cache, HFile.Reader reader, Configuration conf, boolean top, Cell split)
      throws IOException {
    long offset = offsetOfBlock(reader, conf, split);
    if (offset >= 0) {
      String reference = reader.getHFileInfo().getHFileContext().getHFileName();
      String file = StoreFileInfo.getReferredToRegionAndFile(reference).getSecond();
      cache.evictBlocksRangeByHfileName(file, top ? offset : 0, top ? Long.MAX_VALUE : offset);
      cache.evictBlocksByHfileName(reference);
    }
  }

  /**
   * Returns the offset of the block that can contain the key; negative if the key is before all
   * blocks.
   */
  private static long offsetOfBlock(HFile.Reader reader, Configuration conf, Cell key)
      throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, false, true, false)) {
      scanner.seekTo(key);
      HFileBlock block = ((HFileReaderImpl.HFileScannerImpl) scanner).curBlock;
      return block == null ? -1 : block.getOffset();
    }
  }
}
