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
 * A position in a block of the encodings PREFIX, DIFF and FAST_DIFF. A seek starts at the nearest
 * cell that has an entry in the block's {@link RestartIndex}.
 *
 * <p>A seek ends on the cell before the first one that is too far. So the cursor has two cells and
 * decodes into them alternately. No cell is decoded twice, because the cell that was too far is the
 * next one. If no step back is possible, a cell is decoded over the previous one.
 *
 * <p>Keys are compared by their bytes whatever the file's comparator is, like HBase does in encoded
 * blocks.
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

  /** The other decoded cell: the previous or the next one, or an unused one. */
  private DeltaCell other;

  /** Whether {@link #other} is the next cell. */
  private boolean ahead;

  public DeltaBlockCursor(Path path, CellFormat format, DataBlockEncoding encoding) {
    super(path);
    this.encoding = encoding;
    search = new IndexSearch(RestartIndex.format(format, encoding), this::compareWithEntry);
    first = DeltaCell.of(encoding, format);
    current = DeltaCell.of(encoding, format);
    other = DeltaCell.of(encoding, format);
  }

  /**
   * Returns one piece of memory, copied if the block is in several parts. The copy is not reused,
   * because cells refer to it.
   */
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

  /** Does nothing, because each cell is decoded to find the next one. */
  @Override
  public void decode() {}

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

  /** Moves to the next cell and keeps the previous one in {@link #other}. */
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

  /** Ends a seek whose key is not greater than the current cell. */
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

  /** Moves forward to the last cell with an index entry that is less than the key. */
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
