package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.offheap.memory.Memory;

/**
 * A position in a data block, the state of a scanner inside its block. Each encoding has its own
 * cursor.
 *
 * <p>A cursor reads the block's memory by address. So the caller that opens a block holds it until
 * another one is open. It also holds the block as long as HBase's contract of {@code shipped}
 * requires for the returned cells.
 *
 * <p>Each length that is read from a block is checked against the block's end before it is used. If
 * a length is wrong, {@link #corrupt} names the file, the block and the position.
 *
 * <p>Not thread-safe. A scanner uses one cursor for all its blocks.
 */
public abstract class BlockCursor {
  private final Path path;

  /** The open block, for error messages. */
  private HFileBlock block;

  /** The memory of the contents, and the contents' address in it. */
  protected Memory memory;

  protected long address;

  /**
   * Bytes of contents, without the block's header and without the encoding's own header and
   * trailer.
   */
  protected int length;

  /** The buffer behind the memory, for cells, and the contents' position in it. */
  protected ByteBuffer buffer;

  protected int start;

  /** Wraps the memory of blocks that are not {@linkplain AddressedBlock addressed}. */
  private final Memory own = new Memory();

  private final SearchKey searched = new SearchKey();

  protected BlockCursor(Path path) {
    this.path = path;
  }

  /**
   * Opens a block and moves to its first cell, which is read when it is needed.
   *
   * @return false if the block's memory is in several parts and the cursor cannot read them; then
   *     the cursor is unchanged
   */
  public final boolean open(HFileBlock block) {
    if (block instanceof AddressedBlock addressed) {
      int bytes = block.getUncompressedSizeWithoutHeader();
      memory = addressed.memory();
      open(
          block,
          addressed.buffer(),
          block.headerSize(),
          bytes,
          indexes(addressed),
          addressed.index());
      return true;
    }
    BlockMemory found = memory(block);
    if (found != null) {
      memory = own.wrap(found.buffer());
      open(block, found.buffer(), found.start(), found.length(), null, 0);
    }
    return found != null;
  }

  private Memory indexes(AddressedBlock block) {
    if (block.index() == AddressedBlock.NO_INDEX) {
      return null;
    }
    Memory apart = block.indexMemory();
    return apart == null ? memory : apart;
  }

  private void open(
      HFileBlock block, ByteBuffer buffer, int start, int length, Memory indexes, int index) {
    this.block = block;
    this.buffer = buffer;
    this.start = start;
    this.length = length;
    int end = indexes == memory ? index : buffer.capacity();
    if (length < 0 || length > end - start) {
      throw corrupt("length of contents", length, 0);
    }
    address = start;
    opened(indexes, index);
  }

  /** Returns the key of the last seek, or of the seek that follows. */
  public final SearchKey searched() {
    return searched;
  }

  /**
   * Returns the contents of a block that is not addressed, or null if the cursor cannot read it by
   * address.
   */
  BlockMemory memory(HFileBlock block) {
    return BlockMemory.of(block);
  }

  /** Skips the encoding's id at the start of an encoded block. */
  final void skipEncoding(DataBlockEncoding encoding) {
    int id = length < DataBlockEncoding.ID_SIZE ? -1 : memory.bigEndianShort(address);
    if (id != encoding.getId()) {
      throw corrupt("encoding", id, 0);
    }
    start += DataBlockEncoding.ID_SIZE;
    address += DataBlockEncoding.ID_SIZE;
    length -= DataBlockEncoding.ID_SIZE;
  }

  /**
   * Prepares for the opened block and moves to its first cell.
   *
   * @param indexes the memory of the block's index; null if it has none
   * @param index the index's position in it
   */
  protected abstract void opened(Memory indexes, int index);

  /** Moves back to the first cell, which is read when it is needed. */
  public abstract void rewind();

  /** Reads the current cell if that was not needed yet. */
  public abstract void decode();

  /**
   * Moves to the next cell.
   *
   * @return false if the cursor was on the last cell, where it stays
   */
  public abstract boolean next();

  /** Returns whether rows can be read at once in the blocks of the file. */
  public boolean readsRows() {
    return false;
  }

  /**
   * Reads the row of the current cell and moves to the first cell of the next row.
   *
   * @param first the current cell
   * @return false if the row is not plain, or the next row is not in the block; then the cursor is
   *     where it was
   * @throws UnsupportedOperationException if rows cannot be read at once
   */
  public boolean readRow(PlainRow row, Cell first) {
    throw new UnsupportedOperationException("the encoding has no rows to read at once");
  }

  /** Moves back to the first cell of the row that was read last. */
  public void backToRow() {
    throw new UnsupportedOperationException("the encoding has no rows to read at once");
  }

  /**
   * Moves forward to the last cell that is not greater than the key. If {@code before}, it moves to
   * the last cell that is less than the key. It starts at the current cell, which is not greater
   * than the key.
   *
   * @return 0 if the cell equals the key, 1 if it is less; {@link HConstants#INDEX_KEY_MAGIC} if
   *     the key is less than the first cell, which is then the current one
   * @throws IllegalStateException if {@code before} and the key is the first cell
   */
  public abstract int seek(Cell key, boolean before);

  /** Compares a key with the current cell. Both are compared as keys, without sequence numbers. */
  public abstract int compare(CellComparator comparator, Cell key);

  /** Returns the current cell; it is valid as long as the block is held. */
  public abstract Cell cell();

  /** Returns the current cell's key; it stays valid after the block's release. */
  public abstract Cell key();

  /** Returns the current cell's value. */
  public abstract ByteBuffer value();

  /** Returns an exception that reports an impossible length in the block. */
  protected final IllegalStateException corrupt(String what, long length, long position) {
    return new IllegalStateException(
        "Invalid "
            + what
            + " "
            + length
            + " at position "
            + position
            + " (without header) of "
            + this.length
            + ". Block offset: "
            + block.getOffset()
            + ", path="
            + path);
  }

  /** Returns an exception that reports a seek before the first cell. */
  protected final IllegalStateException noCellBefore(Cell key) {
    return new IllegalStateException(
        "seek before the first key of the block: key="
            + key
            + ", block offset: "
            + block.getOffset()
            + ", path="
            + path);
  }
}
