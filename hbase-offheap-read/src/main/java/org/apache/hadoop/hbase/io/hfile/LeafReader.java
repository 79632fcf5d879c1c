package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.LeafIndexes;

/** Copies the leaf of the index that a search of HBase's reads. Not thread-safe. */
final class LeafReader implements HFile.CachingBlockReader {
  private final HFile.CachingBlockReader blocks;
  private final LeafIndexes leaves;
  private final int number;

  LeafReader(HFile.CachingBlockReader blocks, LeafIndexes leaves, int number) {
    this.blocks = blocks;
    this.leaves = leaves;
    this.number = number;
  }

  @Override
  public HFileBlock readBlock(
      long offset,
      long onDiskBlockSize,
      boolean cacheBlock,
      boolean pread,
      boolean isCompaction,
      boolean updateCacheMetrics,
      BlockType expectedBlockType,
      DataBlockEncoding expectedDataBlockEncoding)
      throws IOException {
    HFileBlock block =
        blocks.readBlock(
            offset,
            onDiskBlockSize,
            cacheBlock,
            pread,
            isCompaction,
            updateCacheMetrics,
            expectedBlockType,
            expectedDataBlockEncoding);
    return learned(block, onDiskBlockSize);
  }

  @Override
  public HFileBlock readBlock(
      long offset,
      long onDiskBlockSize,
      boolean cacheBlock,
      boolean pread,
      boolean isCompaction,
      boolean updateCacheMetrics,
      BlockType expectedBlockType,
      DataBlockEncoding expectedDataBlockEncoding,
      boolean cacheOnly)
      throws IOException {
    return blocks.readBlock(
        offset,
        onDiskBlockSize,
        cacheBlock,
        pread,
        isCompaction,
        updateCacheMetrics,
        expectedBlockType,
        expectedDataBlockEncoding,
        cacheOnly);
  }

  private HFileBlock learned(HFileBlock block, long bytes) {
    if (block != null && block.getBlockType() == BlockType.LEAF_INDEX) {
      boolean given = false;
      try {
        leaves.learn(number, block, bytes);
        given = true;
      } catch (RuntimeException e) {
        // HBase searches the same bytes next, and reports what is wrong with them.
        given = true;
      } finally {
        if (!given) {
          block.release();
        }
      }
    }
    return block;
  }
}
