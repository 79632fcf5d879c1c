package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue.KeyOnlyKeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.offheap.memory.Memory;

/**
 * A place in a block of one of the encodings PREFIX, DIFF and FAST_DIFF. A seek goes on from the
 * nearest cell that has an entry in the block's {@link RestartIndex}.
 *
 * <p>A seek ends on the cell before the one that shows that it has come far enough. So there are
 * two cells, of which each is decoded after the other in turn, and none is decoded twice: the one
 * that was too far is what comes next. Where nothing has to be gone back to, a cell is decoded in
 * the place of the one before.
 *
 * <p>Keys are compared as HBase does in encoded blocks: by their bytes, whatever the comparator of
 * the file is.
 */
public final class DeltaBlockCursor extends BlockCursor {
  private static final CellComparator COMPARATOR = CellComparatorImpl.COMPARATOR;

  private final DataBlockEncoding encoding;
  private final IndexSearch search;
  private final BlockInput in = new BlockInput(this::corrupt);
  private final BlockInput record = new BlockInput(this::corrupt);
  private final KeyOnlyKeyValue keyOnly = new KeyOnlyKeyValue();

  private final DecodedKeys decodedKeys = new DecodedKeys();
  private final DeltaCell first;
  private DeltaCell current;

  /** What else was decoded: the cell before or behind, or nothing in particular. */
  private DeltaCell other;

  /** Whether {@link #other} is the cell behind this one. */
  private boolean ahead;

  public DeltaBlockCursor(Path path, CellFormat format, DataBlockEncoding encoding) {
    super(path);
    this.encoding = encoding;
    search = new IndexSearch(RestartIndex.format(format, encoding), this::compareWithEntry);
    first = DeltaCell.of(encoding, format);
    current = DeltaCell.of(encoding, format);
    other = DeltaCell.of(encoding, format);
  }

  /** Cells refer to the memory, so what is put together of a block's parts is not used again. */
  @Override
  BlockMemory memory(HFileBlock block) {
    return BlockMemory.ofWhole(block);
  }

  @Override
  protected void opened(Memory indexes, int index) {
    skipEncoding(encoding);
    in.open(memory, address, length);
    if (indexes == null) {
      search.openNone();
    } else {
      search.open(indexes, index);
      record.open(indexes, index, (int) indexes.bytes() - index);
    }
    first.decodeFirst(in);
    rewind();
  }

  @Override
  public void rewind() {
    current.copy(first);
    ahead = false;
  }

  @Override
  public boolean next() {
    if (ahead) {
      swap();
      ahead = false;
      return true;
    }
    if (current.next >= length) {
      return false;
    }
    current.decode(current, in);
    return true;
  }

  private void swap() {
    DeltaCell cell = current;
    current = other;
    other = cell;
  }

  /** Goes to the next cell and leaves this one in {@link #other}. */
  private boolean step() {
    if (!ahead) {
      if (current.next >= length) {
        return false;
      }
      other.decode(current, in);
    }
    swap();
    ahead = false;
    return true;
  }

  @Override
  public int seek(Cell key, boolean before) {
    searched().set(key);
    if (search.isOpen()) {
      restart(key);
    }
    boolean passed = false;
    while (true) {
      int order = compareWith(key, current);
      if (order <= 0) {
        return order == 0 && !before ? 0 : stepBack(key, order, passed);
      }
      if (!step()) {
        return 1;
      }
      passed = true;
    }
  }

  /** The key is not greater than the cell that this is on. */
  private int stepBack(Cell key, int order, boolean passed) {
    if (passed) {
      swap();
      ahead = true;
      return 1;
    }
    if (order == 0) {
      throw noCellBefore(key);
    }
    return HConstants.INDEX_KEY_MAGIC;
  }

  /** Goes to the last cell with an entry in the index that is less than the key, if forward. */
  private void restart(Cell key) {
    int place = search.lastLess(key, searched(), first.keyMemory(), DeltaCell.ROW);
    if (place >= 0) {
      record.position = place;
      if (record.length("place") > current.tail) {
        restore(current, place);
      }
    }
  }

  private int compareWithEntry(Cell key, int place) {
    restore(other, place);
    return compareWith(key, other);
  }

  private void restore(DeltaCell cell, int place) {
    ahead = false;
    record.position = place;
    cell.restore(record, first, in);
  }

  private int compareWith(Cell key, DeltaCell cell) {
    int order = searched().compareRow(cell.keyMemory(), DeltaCell.ROW, cell.rowLength);
    if (order != 0) {
      return order;
    }
    order =
        searched()
            .compareColumn(
                key,
                cell.keyMemory(),
                cell.family(),
                cell.familyBytes - Byte.BYTES,
                cell.qualifierLength());
    return order != 0 ? order : COMPARATOR.compareWithoutRow(key, keyOf(cell));
  }

  private Cell keyOf(DeltaCell cell) {
    keyOnly.setKey(cell.key, 0, cell.keyLength);
    return keyOnly;
  }

  @Override
  public int compare(CellComparator comparator, Cell key) {
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, keyOf(current));
  }

  @Override
  public Cell cell() {
    return DecodedCell.of(current, decodedKeys, buffer, start);
  }

  @Override
  public Cell key() {
    byte[] copy = Arrays.copyOf(current.key, current.keyLength);
    return new KeyOnlyKeyValue(copy, 0, copy.length);
  }

  @Override
  public ByteBuffer value() {
    return buffer.slice(start + current.value, current.valueLength);
  }
}
