package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.fastpath.offheap.reader.BlockSources;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;

/**
 * Reads a file's data blocks from {@link BlockSources}. The file's reader reads other blocks, and
 * blocks that no source has. If a scan counts its bytes, this class counts them like the reader.
 * That is not rare: after such a scan, its thread also counts for the gets that it serves.
 *
 * <p>Thread-safe.
 */
final class DataBlockReader implements HFile.CachingBlockReader {
  private final HFile.Reader reader;

  /** The sources; null for a reader that is not HBase's. */
  private final BlockSources sources;

  DataBlockReader(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    sources =
        reader instanceof HFileReaderImpl known
            ? BlockSources.of(reader, known.getCacheConf(), conf)
            : null;
  }

  /**
   * Returns the data block at an offset if memory has it and it needs no read of the file,
   * otherwise null. The block is encoded or not, like the file's blocks. A compaction does not read
   * mapped replicas block by block, because it streams the file.
   */
  HFileBlock inMemory(long offset, boolean cacheBlock, boolean isCompaction) {
    if (sources == null) {
      return null;
    }
    HFileBlock block = isCompaction ? null : ofType(sources.uncached(offset, cacheBlock));
    if (block != null) {
      return counted(block, DataBlockReader::countUncached);
    }
    block = ofType(sources.cached(offset, cacheBlock));
    if (block != null) {
      return counted(block, DataBlockReader::countCached);
    }
    block = isCompaction ? null : ofType(sources.prepared(offset, cacheBlock));
    return block == null ? null : counted(block, DataBlockReader::countUncached);
  }

  /** Returns a block that was counted, or releases it. */
  private static HFileBlock counted(HFileBlock block, Consumer<HFileBlock> count) {
    boolean given = false;
    try {
      count.accept(block);
      given = true;
      return block;
    } finally {
      if (!given) {
        block.release();
      }
    }
  }

  private HFileBlock ofType(HFileBlock block) {
    if (block != null && block.getBlockType() != expected()) {
      block.release();
      return null;
    }
    return block;
  }

  /** Counts the block as read, and neither as a hit nor as a miss, because no cache was asked. */
  private static void countUncached(HFileBlock block) {
    HFile.DATABLOCK_READ_COUNT.increment();
    if (ThreadLocalServerSideScanMetrics.isScanMetricsEnabled()) {
      ThreadLocalServerSideScanMetrics.addBytesReadFromFs(block.getOnDiskSizeWithHeader());
      ThreadLocalServerSideScanMetrics.addBlockReadOpsCount(1);
    }
  }

  private static void countCached(HFileBlock block) {
    HFile.DATABLOCK_READ_COUNT.increment();
    if (ThreadLocalServerSideScanMetrics.isScanMetricsEnabled()) {
      ThreadLocalServerSideScanMetrics.addBytesReadFromBlockCache(readBytes(block));
    }
  }

  /** Closes the sources. */
  void close() {
    if (sources != null) {
      sources.close();
    }
  }

  /**
   * Returns the bytes that a read of the file would have read, including the next block's header if
   * there is one.
   */
  private static long readBytes(HFileBlock block) {
    return block.getOnDiskSizeWithHeader()
        + (block.getNextBlockOnDiskSize() > 0 ? block.headerSize() : 0L);
  }

  private BlockType expected() {
    return reader.getDataBlockEncoding() == DataBlockEncoding.NONE
        ? BlockType.DATA
        : BlockType.ENCODED_DATA;
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
        expectedBlockType == BlockType.DATA && updateCacheMetrics
            ? inMemory(offset, cacheBlock, isCompaction)
            : null;
    if (block != null) {
      return block;
    }
    try {
      return reader.readBlock(
          offset,
          onDiskBlockSize,
          cacheBlock,
          pread,
          isCompaction,
          updateCacheMetrics,
          expectedBlockType,
          expectedDataBlockEncoding);
    } catch (MemoryOnly.Miss e) {
      throw new NotInMemoryException();
    }
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
    return reader.readBlock(
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
}
