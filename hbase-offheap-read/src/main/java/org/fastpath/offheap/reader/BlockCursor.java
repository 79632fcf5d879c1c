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
 * A place in a data block: what a scanner has of the block that it is in. Each encoding has a
 * cursor of its own. It reads the block's memory by address, so whoever opens a block holds it
 * until another one is open, and the cells that come from it as long as HBase's contract of {@code
 * shipped} says.
 *
 * <p>All lengths that are read from a block are checked against its end before they are used. Where
 * they lie, {@link #corrupt} says in which file, block and place.
 *
 * <p>For one thread at a time; used again for each block that its scanner comes to.
 */
public abstract class BlockCursor {
  private final Path path;

  /** The open block, for what is said about it. */
  private HFileBlock block;

  /** The memory that the contents are in, and where they begin in it. */
  protected Memory memory;

  protected long address;

  /** Bytes of contents, without the block's header and what an encoding has around its cells. */
  protected int length;

  /** The buffer that the memory is of, for cells, and where the contents begin in it. */
  protected ByteBuffer buffer;

  protected int start;

  /** Stands for the memory of blocks that have none of their own. */
  private final Memory own = new Memory();

  private final SearchKey searched = new SearchKey();

  protected BlockCursor(Path path) {
    this.path = path;
  }

  /**
   * Stands on the first cell of a block.
   *
   * @return false if the block's memory is in several parts and the cursor cannot read such; then
   *     nothing has changed
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

  /** The key that was sought last, or that somebody is about to seek. */
  public final SearchKey searched() {
    return searched;
  }

  /** What to read of a block that is not a cache's; null if it cannot be read by address. */
  BlockMemory memory(HFileBlock block) {
    return BlockMemory.of(block);
  }

  /** Leaves out the number of the encoding that an encoded block begins with. */
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
   * Prepares for the block that was opened and stands on its first cell.
   *
   * @param indexes the memory that the block's index is in; null if it has none
   * @param index where the index begins in it
   */
  protected abstract void opened(Memory indexes, int index);

  /** Goes back to the first cell. */
  public abstract void rewind();

  /**
   * Goes to the next cell.
   *
   * @return false if this was the last one, where the cursor stays
   */
  public abstract boolean next();

  /**
   * Goes forward to the last cell that is not greater than the key, or, if {@code before}, that is
   * less; from where it stands, which is not behind the key.
   *
   * @return 0 if it stands on the key, 1 if on a lesser one, {@link HConstants#INDEX_KEY_MAGIC} if
   *     the key is less than the first cell, on which it stands then
   * @throws IllegalStateException if {@code before} and the key is the first cell
   */
  public abstract int seek(Cell key, boolean before);

  /** Compares a key with the cell that this is on; both as keys, without sequence numbers. */
  public abstract int compare(CellComparator comparator, Cell key);

  /** The cell; valid as long as the block is held. */
  public abstract Cell cell();

  /** The cell's key; valid when the block is not held any more, too. */
  public abstract Cell key();

  /** The cell's value. */
  public abstract ByteBuffer value();

  /** What there is to say when a length in the block is not what it can be. */
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

  /** There is no cell before the first. */
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
