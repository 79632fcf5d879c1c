package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue.KeyOnlyKeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.BlockCursor;
import org.fastpath.offheap.reader.PlainRow;
import org.fastpath.offheap.reader.RowScanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scanner that reads blocks by address and uses the index of a cached block. HBase's own scanner,
 * the superclass, chooses the next block, holds blocks, and releases them at {@code shipped}. This
 * class replaces its walk through a block by a {@link BlockCursor}.
 *
 * <p>HBase's walk reads a block whose memory is in several parts.
 *
 * <p>Not thread-safe.
 */
class OffHeapHFileScanner extends HFileReaderImpl.HFileScannerImpl implements RowScanner {
  /** The offset that stands for the block before the first one. */
  private static final long NONE_BEFORE = -1;

  private static final int UNKNOWN_SIZE = -1;

  private static final Logger LOG = LoggerFactory.getLogger(OffHeapHFileScanner.class);

  private final DataBlockEncoding encoding;
  private final OffHeapHFile file;
  private final BlockCursor cursor;

  /** The cursor for first keys of blocks other than the current one; null until it is needed. */
  private BlockCursor firstKeys;

  /** Whether HBase's walk reads the current block. */
  private boolean stock;

  /** The current block's place in the index if its next indexed key is not looked up yet. */
  private long place = DataIndex.UNKNOWN;

  OffHeapHFileScanner(
      HFile.Reader reader,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      DataBlockEncoding encoding,
      OffHeapHFile file) {
    super(reader, cacheBlocks, pread, isCompaction);
    this.encoding = encoding;
    this.file = file;
    cursor = file.cursor(encoding);
  }

  @Override
  public boolean isSeeked() {
    return stock ? super.isSeeked() : curBlock != null;
  }

  @Override
  protected void setNonSeekedState() {
    super.setNonSeekedState();
    stock = false;
  }

  @Override
  public int seekTo(Cell key, boolean rewind) throws IOException {
    DataIndex index = file.index();
    long found = index.find(key, cursor.searched());
    HFileBlock block = current(index.offset(found));
    if (block != null) {
      int order = loadBlockAndSeekToKey(block, null, rewind, key, false);
      place = found;
      return order;
    }
    // A stream seeks once, which is not worth the copy of a leaf.
    BlockWithScanInfo located =
        find(key, pread ? index.learning(found, file.blocks()) : file.blocks());
    if (located == null) {
      return -1;
    }
    index.found(found, located.getHFileBlock());
    return loadBlockAndSeekToKey(
        located.getHFileBlock(), located.getNextIndexedKey(), rewind, key, false);
  }

  /** Looks up the next indexed key, which most gets never ask for. */
  private void findNextIndexedKey() throws IOException {
    if (place != DataIndex.UNKNOWN) {
      nextIndexedKey =
          file.index()
              .nextKey(place, (offset, bytes) -> read(offset, bytes, true, BlockType.LEAF_INDEX));
      place = DataIndex.UNKNOWN;
    }
  }

  @Override
  public Cell getNextIndexedKey() {
    try {
      findNextIndexedKey();
    } catch (IOException e) {
      // Without the key HBase searches the index, and reports the problem if there still is one.
      LOG.debug("The next indexed key of {} is not known", reader.getPath(), e);
    }
    return super.getNextIndexedKey();
  }

  @Override
  public int reseekTo(Cell key) throws IOException {
    findNextIndexedKey();
    return super.reseekTo(key);
  }

  private HFileBlock current(long offset) {
    if (offset == DataIndex.UNKNOWN) {
      return null;
    }
    return curBlock != null && curBlock.getOffset() == offset
        ? curBlock
        : file.blocks().inMemory(offset, cacheBlocks, isCompaction);
  }

  private BlockWithScanInfo find(Cell key, HFile.CachingBlockReader blocks) throws IOException {
    return reader
        .getDataBlockIndexReader()
        .loadDataBlockWithScanInfo(
            key,
            curBlock,
            cacheBlocks,
            pread,
            isCompaction,
            getEffectiveDataBlockEncoding(),
            blocks);
  }

  /** Like HBase's method, but reads both blocks from our sources, also the one before. */
  @Override
  public boolean seekBefore(Cell key) throws IOException {
    HFileBlock block =
        reader
            .getDataBlockIndexReader()
            .seekToDataBlock(
                key,
                curBlock,
                cacheBlocks,
                pread,
                isCompaction,
                getEffectiveDataBlockEncoding(),
                file.blocks());
    if (block == null) {
      return false;
    }
    Cell firstKey = getFirstKeyCellInBlock(block);
    if (PrivateCellUtil.compareKeyIgnoresMvcc(reader.getComparator(), firstKey, key) >= 0) {
      long before = block.getPrevBlockOffset();
      releaseIfNotCurBlock(block);
      if (before == NONE_BEFORE) {
        return false;
      }
      block = read(before, UNKNOWN_SIZE, BlockType.DATA);
    }
    loadBlockAndSeekToKey(block, firstKey, true, key, true);
    return true;
  }

  private HFileBlock read(long offset, long size, BlockType expected) throws IOException {
    return read(offset, size, cacheBlocks, expected);
  }

  private HFileBlock read(long offset, long size, boolean cache, BlockType expected)
      throws IOException {
    return file.blocks()
        .readBlock(
            offset,
            size,
            cache,
            pread,
            isCompaction,
            true,
            expected,
            getEffectiveDataBlockEncoding());
  }

  @Override
  protected void readAndUpdateNewBlock(long firstDataBlockOffset) throws IOException {
    updateCurrentBlock(read(firstDataBlockOffset, UNKNOWN_SIZE, BlockType.DATA));
  }

  /** Skips index and Bloom filter blocks between data blocks. */
  @Override
  protected HFileBlock readNextDataBlock() throws IOException {
    long last = reader.getTrailer().getLastDataBlockOffset();
    HFileBlock block = curBlock;
    while (block != null && block.getOffset() < last) {
      HFileBlock next = next(block);
      if (next.getBlockType().isData()) {
        return next;
      }
      next.release();
      block = next;
    }
    return null;
  }

  private HFileBlock next(HFileBlock block) throws IOException {
    long offset = block.getOffset() + block.getOnDiskSizeWithHeader();
    HFileBlock next = file.blocks().inMemory(offset, cacheBlocks, isCompaction);
    return next == null ? read(offset, block.getNextBlockOnDiskSize(), null) : next;
  }

  @Override
  protected boolean processFirstDataBlock() throws IOException {
    if (stock) {
      return super.processFirstDataBlock();
    }
    cursor.rewind();
    decode();
    return true;
  }

  /** Reads the current cell if that was not needed yet. */
  private void decode() {
    try {
      cursor.decode();
    } catch (RuntimeException e) {
      throw lost(e);
    }
  }

  /**
   * Ends the position after an exception, because the cursor may have the lengths of a cell that
   * does not exist.
   */
  private RuntimeException lost(RuntimeException e) {
    setNonSeekedState();
    return e;
  }

  /** Fails if the cursor cannot read the block. */
  void verify(HFileBlock block) throws CorruptHFileException {
    if (block.getBlockType() != BlockType.DATA) {
      throw new IllegalStateException(
          "Not a data block without encoding: "
              + block.getBlockType()
              + ", path="
              + reader.getPath());
    }
  }

  @Override
  protected void updateCurrentBlock(HFileBlock block) throws IOException {
    open(block);
    if (!stock) {
      decode();
    }
  }

  private void open(HFileBlock block) throws IOException {
    try {
      verify(block);
      updateCurrBlockRef(block);
    } finally {
      releaseIfNotCurBlock(block);
    }
    try {
      stock = !cursor.open(curBlock);
    } catch (RuntimeException e) {
      throw lost(e);
    }
    nextIndexedKey = null;
    place = DataIndex.UNKNOWN;
    if (stock) {
      super.updateCurrentBlock(curBlock);
    }
  }

  @Override
  protected int loadBlockAndSeekToKey(
      HFileBlock block, Cell nextIndexedKey, boolean rewind, Cell key, boolean seekBefore)
      throws IOException {
    place = DataIndex.UNKNOWN;
    boolean another = curBlock == null || curBlock.getOffset() != block.getOffset();
    if (another) {
      open(block);
    } else {
      // seekBefore reads the previous block even if it is the current one.
      releaseIfNotCurBlock(block);
    }
    if (stock) {
      return super.loadBlockAndSeekToKey(curBlock, nextIndexedKey, rewind, key, seekBefore);
    }
    if (rewind && !another) {
      cursor.rewind();
    }
    this.nextIndexedKey = nextIndexedKey;
    try {
      return cursor.seek(key, seekBefore);
    } catch (RuntimeException e) {
      throw lost(e);
    }
  }

  /**
   * Reads the first key by a cursor, which checks each length, and copies it. HBase keeps the key
   * as the next indexed key after it has released the block. If there is no key, this method
   * releases the block, which HBase does not.
   */
  @Override
  protected Cell getFirstKeyCellInBlock(HFileBlock block) {
    Cell key = null;
    try {
      key = firstKey(block);
      return key;
    } finally {
      if (key == null) {
        releaseIfNotCurBlock(block);
      }
    }
  }

  private Cell firstKey(HFileBlock block) {
    if (firstKeys == null) {
      firstKeys = file.cursor(encoding);
    }
    if (firstKeys.open(block)) {
      return firstKeys.key();
    }
    Cell inBlock = super.getFirstKeyCellInBlock(block);
    return new KeyOnlyKeyValue(PrivateCellUtil.getCellKeySerializedAsKeyValueKey(inBlock));
  }

  @Override
  public boolean readsRows() {
    return cursor.readsRows();
  }

  /** Reads a row in the current block. A length that is wrong is left to the walk by cells. */
  @Override
  public boolean readRow(PlainRow row, Cell first) {
    if (stock || curBlock == null) {
      return false;
    }
    try {
      return cursor.readRow(row, first);
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Override
  public void backToRow() {
    cursor.backToRow();
  }

  @Override
  public boolean next() throws IOException {
    if (stock) {
      return super.next();
    }
    assertSeeked();
    return nextInBlock() || nextBlock();
  }

  private boolean nextInBlock() {
    try {
      return cursor.next();
    } catch (RuntimeException e) {
      throw lost(e);
    }
  }

  private boolean nextBlock() throws IOException {
    HFileBlock block = readNextDataBlock();
    if (block == null) {
      setNonSeekedState();
      return false;
    }
    updateCurrentBlock(block);
    return true;
  }

  @Override
  public Cell getCell() {
    if (stock) {
      return super.getCell();
    }
    if (!isSeeked()) {
      return null;
    }
    decode();
    return cursor.cell();
  }

  @Override
  public Cell getKey() {
    if (stock) {
      return super.getKey();
    }
    assertSeeked();
    decode();
    return cursor.key();
  }

  @Override
  public ByteBuffer getValue() {
    if (stock) {
      return super.getValue();
    }
    assertSeeked();
    decode();
    return cursor.value();
  }

  @Override
  public int compareKey(CellComparator comparator, Cell key) {
    if (stock) {
      return super.compareKey(comparator, key);
    }
    assertSeeked();
    decode();
    return cursor.compare(comparator, key);
  }
}
