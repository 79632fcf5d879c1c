package org.apache.hadoop.hbase.io.hfile;

import io.opentelemetry.api.trace.Span;
import java.io.IOException;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.fastpath.offheap.reader.DataBlockSource;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;

/**
 * Reads a file's data blocks from a cache that gives them without a key, and all else, misses
 * included, by the file's reader. The short way is left to the reader, too, while a request is
 * traced. Where a scan counts its bytes they are counted here as the reader does: a thread goes on
 * counting for the gets that it serves after such a scan, so that it is no rare case.
 *
 * <p>Safe from any thread.
 */
final class DataBlockReader implements HFile.CachingBlockReader {
  private final HFile.Reader reader;
  private final CacheConfig cacheConf;
  private final DataBlockSource source;

  DataBlockReader(HFile.Reader reader) {
    this.reader = reader;
    cacheConf = reader instanceof HFileReaderImpl known ? known.getCacheConf() : null;
    source = cacheConf == null ? null : DataBlockSource.in(cacheConf.getBlockCache().orElse(null));
  }

  /**
   * The data block at an offset if it is cached, encoded or not as the file's blocks are, and can
   * be had the short way, or null.
   */
  HFileBlock cached(long offset, boolean cacheBlock) {
    if (source == null
        || cacheConf.shouldCacheCompressed(BlockType.BlockCategory.DATA)
        || !cacheConf.shouldReadBlockFromCache(BlockType.DATA)
        || Span.current().isRecording()) {
      return null;
    }
    HFileBlock block =
        source.dataBlock(reader.getName(), offset, cacheBlock, reader.isPrimaryReplicaReader());
    if (block != null && block.getBlockType() != expected()) {
      block.release();
      return null;
    }
    if (block != null) {
      HFile.DATABLOCK_READ_COUNT.increment();
      if (ThreadLocalServerSideScanMetrics.isScanMetricsEnabled()) {
        ThreadLocalServerSideScanMetrics.addBytesReadFromBlockCache(readBytes(block));
      }
    }
    return block;
  }

  /** What reading it would have read: with the header of the block after it, if there is one. */
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
            ? cached(offset, cacheBlock)
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
