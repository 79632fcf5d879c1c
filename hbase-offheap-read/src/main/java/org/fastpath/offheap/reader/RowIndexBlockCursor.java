package org.fastpath.offheap.reader;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ByteBufferKeyOnlyKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.offheap.memory.Memory;

/**
 * A position in a block of the encoding ROW_INDEX_V1. Such a block has the positions of its rows
 * behind its cells:
 *
 * <pre>
 *  | cells, as without encoding | number of rows 4 | place of first cell of row 4, ... | bytes of cells 4 |
 * </pre>
 *
 * <p>A seek starts at the first cell of the key's row, or of the previous row if the key's row does
 * not exist. If the key is less than all cells of its row, the cursor stays there, like HBase's.
 */
public final class RowIndexBlockCursor extends FlatBlockCursor {
  private static final int NONE = -1;

  private final ByteBufferKeyOnlyKeyValue row = new ByteBufferKeyOnlyKeyValue();

  private int rows;

  /** The address of the first row's position. */
  private long places;

  public RowIndexBlockCursor(Path path, CellFormat format, CellComparator comparator) {
    super(path, format, comparator);
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
    skipEncoding(DataBlockEncoding.ROW_INDEX_V1);
    int behind = length - Integer.BYTES;
    int cells = behind < Integer.BYTES ? -1 : memory.bigEndianInt(address + behind);
    if (cells < 0 || cells > behind - Integer.BYTES) {
      throw corrupt("length of cells", cells, behind);
    }
    rows = memory.bigEndianInt(address + cells);
    places = address + cells + Integer.BYTES;
    if (rows < 0 || rows > (behind - Integer.BYTES - cells) / Integer.BYTES) {
      throw corrupt("number of rows", rows, cells);
    }
    length = cells;
    rewind();
  }

  @Override
  public int seek(Cell key, boolean before) {
    searched().set(key);
    int place = rowBefore(key, before);
    if (place == NONE) {
      return HConstants.INDEX_KEY_MAGIC;
    }
    if (place > position) {
      decode(place);
    }
    return walk(key, before);
  }

  @Override
  protected int lessThanStart() {
    return HConstants.INDEX_KEY_MAGIC;
  }

  /**
   * Returns the position of the last row that is not greater than the key's, or, if {@code less},
   * is less.
   */
  private int rowBefore(Cell key, boolean less) {
    int low = 0;
    int left = rows;
    while (left > 0) {
      int half = left >>> 1;
      int order = compareRow(key, place(low + half));
      if (order > 0 || order == 0 && !less) {
        low += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return low == 0 ? NONE : place(low - 1);
  }

  private int place(int row) {
    int place = memory.bigEndianInt(places + (long) Integer.BYTES * row);
    if (place < 0 || place > length - PlainCell.MIN_BYTES) {
      throw corrupt("place of a row", place, length);
    }
    return place;
  }

  private int compareRow(Cell key, int place) {
    int rowLength = memory.bigEndianShort(address + place + PlainCell.LENGTHS);
    if (rowLength < 0 || rowLength > length - place - PlainCell.MIN_BYTES) {
      throw corrupt("row length", rowLength, place);
    }
    if (bytewise) {
      return searched().compareRow(memory, PlainCell.row(address + place), rowLength);
    }
    int keyLength = memory.bigEndianInt(address + place);
    row.setKey(buffer, start + place + PlainCell.LENGTHS, keyLength, (short) rowLength);
    return comparator.compareRows(key, row);
  }
}
