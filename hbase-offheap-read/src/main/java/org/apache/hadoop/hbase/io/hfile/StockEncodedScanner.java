package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue.KeyOnlyKeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;

/**
 * HBase's own scanner of encoded blocks, for files that no cursor of ours reads. It differs in
 * three cases:
 *
 * <ul>
 *   <li>In a thread that reads from memory only, a {@link MemoryOnly.Miss} becomes an {@link
 *       IOException}. HBase closes a scanner after an exception, but not after an Error.
 *   <li>{@link #seekBefore} releases the block before the found one if it is the current block.
 *       HBase never releases it.
 *   <li>It keeps a copy of a block's first key. HBase keeps the key in the memory of a block that
 *       it has released, so a later reseek may compare with another key. If there is no key, the
 *       block is released.
 * </ul>
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

  @Override
  protected int loadBlockAndSeekToKey(
      HFileBlock block, Cell nextIndexedKey, boolean rewind, Cell key, boolean seekBefore)
      throws IOException {
    HFileBlock chosen = block;
    if (curBlock != null && curBlock.getOffset() == block.getOffset()) {
      releaseIfNotCurBlock(block);
      chosen = curBlock;
    }
    return super.loadBlockAndSeekToKey(chosen, nextIndexedKey, rewind, key, seekBefore);
  }

  @Override
  protected Cell getFirstKeyCellInBlock(HFileBlock block) {
    Cell key = null;
    try {
      Cell inBlock = super.getFirstKeyCellInBlock(block);
      key = new KeyOnlyKeyValue(PrivateCellUtil.getCellKeySerializedAsKeyValueKey(inBlock));
      return key;
    } finally {
      if (key == null) {
        releaseIfNotCurBlock(block);
      }
    }
  }
}
