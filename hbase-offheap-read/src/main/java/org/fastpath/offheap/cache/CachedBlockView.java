package org.fastpath.offheap.cache;

import java.util.Comparator;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/** A block in the web UI: a copy of its entry's fields, made while it was pinned. */
record CachedBlockView(
    String filename,
    long offset,
    long size,
    long cachedTime,
    BlockType blockType,
    BlockPriority blockPriority)
    implements CachedBlock {
  private static final Comparator<CachedBlock> ORDER =
      Comparator.comparing(CachedBlock::getFilename)
          .thenComparingLong(CachedBlock::getOffset)
          .thenComparing(Comparator.comparingLong(CachedBlock::getCachedTime).reversed());

  @Override
  public String getFilename() {
    return filename;
  }

  @Override
  public long getOffset() {
    return offset;
  }

  @Override
  public long getSize() {
    return size;
  }

  @Override
  public long getCachedTime() {
    return cachedTime;
  }

  @Override
  public BlockType getBlockType() {
    return blockType;
  }

  @Override
  public BlockPriority getBlockPriority() {
    return blockPriority;
  }

  @Override
  public int compareTo(CachedBlock other) {
    return ORDER.compare(this, other);
  }
}
