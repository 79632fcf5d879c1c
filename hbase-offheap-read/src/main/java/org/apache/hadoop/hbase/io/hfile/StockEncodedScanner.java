package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;

/**
 * HBase's own scanner of encoded blocks, for files that no cursor of ours reads. In a thread that
 * reads from memory only, it turns a {@link MemoryOnly.Miss} into an {@link IOException}. HBase
 * closes a scanner only after an exception, and a closed scanner releases its blocks.
 *
 * <p>Not thread-safe.
 */
final class StockEncodedScanner extends HFileReaderImpl.EncodedScanner {
  StockEncodedScanner(
      HFile.Reader reader,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      Configuration conf) {
    super(reader, cacheBlocks, pread, isCompaction, reader.getFileContext(), conf);
  }

  @Override
  public int seekTo(Cell key, boolean rewind) throws IOException {
    try {
      return super.seekTo(key, rewind);
    } catch (MemoryOnly.Miss e) {
      throw new NotInMemoryException();
    }
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    try {
      return super.seekBefore(key);
    } catch (MemoryOnly.Miss e) {
      throw new NotInMemoryException();
    }
  }

  @Override
  protected void readAndUpdateNewBlock(long firstDataBlockOffset) throws IOException {
    try {
      super.readAndUpdateNewBlock(firstDataBlockOffset);
    } catch (MemoryOnly.Miss e) {
      throw new NotInMemoryException();
    }
  }

  @Override
  protected HFileBlock readNextDataBlock() throws IOException {
    try {
      return super.readNextDataBlock();
    } catch (MemoryOnly.Miss e) {
      throw new NotInMemoryException();
    }
  }
}
