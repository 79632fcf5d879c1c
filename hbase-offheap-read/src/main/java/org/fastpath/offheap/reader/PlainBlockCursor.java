package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ByteBufferKeyOnlyKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.SizeCachedByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsKeyValue;

/**
 * A place in a block without encoding. Rows are compared by address, and what comes behind the row
 * in a key only where rows are equal, by HBase's comparator.
 */
public final class PlainBlockCursor extends BlockCursor {
  private final CellComparator comparator;
  private final boolean bytewise;
  private final PlainCell cell;
  private final int format;
  private final SearchKey searched = new SearchKey();
  private final ByteBufferKeyOnlyKeyValue keyOnly = new ByteBufferKeyOnlyKeyValue();

  /** Of the block's index, or 0. */
  private long index;

  private int position;

  public PlainBlockCursor(Path path, CellFormat format, CellComparator comparator) {
    super(path);
    this.comparator = comparator;
    bytewise = SearchKey.comparesRowsAsBytes(comparator);
    cell = new PlainCell(format, this::corrupt);
    this.format = format.code();
  }

  @Override
  protected void opened(int index) {
    long at = address - start + index;
    boolean usable =
        bytewise && index != AddressedBlock.NO_INDEX && BlockIndex.format(base, at) == format;
    this.index = usable ? at : 0;
    rewind();
  }

  @Override
  public void rewind() {
    decode(0);
  }

  private void decode(int position) {
    cell.decode(base, address, position, length);
    this.position = position;
  }

  @Override
  public boolean next() {
    int next = position + cell.size;
    if (next >= length) {
      return false;
    }
    decode(next);
    return true;
  }

  @Override
  public int seek(Cell key, boolean before) {
    searched.set(key);
    int previous = -1;
    if (index != 0) {
      decode(Math.max(position, nearestIndexed(key)));
    }
    while (true) {
      int order = compareWith(key, position);
      if (order <= 0) {
        return order == 0 && !before ? 0 : stepBack(key, order, previous);
      }
      previous = position;
      if (!next()) {
        return 1;
      }
    }
  }

  /** The key is not greater than the cell that this is on, and greater than the previous one. */
  private int stepBack(Cell key, int order, int previous) {
    if (previous >= 0) {
      decode(previous);
      return 1;
    }
    if (order == 0) {
      throw noCellBefore(key);
    }
    return position == 0 ? HConstants.INDEX_KEY_MAGIC : 1;
  }

  /** The last cell with an entry in the index that is less than the key, or 0. */
  private int nearestIndexed(Cell key) {
    int count = BlockIndex.count(base, index);
    int shared = BlockIndex.shared(base, index);
    int start = searched.compareStart(base, PlainCell.row(address), shared);
    int less = start > 0 ? count : 0;
    if (start == 0) {
      long prefix = searched.prefix(shared);
      less = BlockIndex.less(base, index, count, prefix);
      if (less < count && BlockIndex.prefix(base, index, less) == prefix) {
        less = lessAmongEqual(key, less, count, prefix);
      }
    }
    return less == 0 ? 0 : BlockIndex.place(base, index, count, less - 1);
  }

  /** How many entries are less, where those from {@code low} on have the same bytes of row. */
  private int lessAmongEqual(Cell key, int low, int count, long prefix) {
    int left = prefix == -1 ? count - low : BlockIndex.less(base, index, count, prefix + 1) - low;
    while (left > 0) {
      int half = left >>> 1;
      int place = BlockIndex.place(base, index, count, low + half);
      if (compareAt(key, place) > 0) {
        low += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return low;
  }

  /** Leaves the cell at the place decoded. */
  private int compareAt(Cell key, int place) {
    cell.decode(base, address, place, length);
    return compareWith(key, place);
  }

  private int compareWith(Cell key, int place) {
    if (bytewise) {
      int order = searched.compareRow(base, PlainCell.row(address + place), cell.rowLength);
      if (order != 0) {
        return order;
      }
    }
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, keyAt(place));
  }

  private Cell keyAt(int place) {
    keyOnly.setKey(
        buffer, start + place + PlainCell.LENGTHS, cell.keyLength, (short) cell.rowLength);
    return keyOnly;
  }

  @Override
  public int compare(CellComparator comparator, Cell key) {
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, keyAt(position));
  }

  @Override
  public Cell cell() {
    int bytes = PlainCell.LENGTHS + cell.keyLength + cell.valueLength;
    short row = (short) cell.rowLength;
    boolean tags = cell.tagsLength > 0;
    bytes += tags ? PlainCell.TAGS_LENGTH + cell.tagsLength : 0;
    int at = start + position;
    if (base == null) {
      return tags
          ? new SizeCachedByteBufferKeyValue(buffer, at, bytes, cell.sequence, cell.keyLength, row)
          : new SizeCachedNoTagsByteBufferKeyValue(
              buffer, at, bytes, cell.sequence, cell.keyLength, row);
    }
    at += buffer.arrayOffset();
    return tags
        ? new SizeCachedKeyValue(buffer.array(), at, bytes, cell.sequence, cell.keyLength, row)
        : new SizeCachedNoTagsKeyValue(
            buffer.array(), at, bytes, cell.sequence, cell.keyLength, row);
  }

  @Override
  public Cell key() {
    int at = start + position + PlainCell.LENGTHS;
    if (base != null) {
      return new KeyValue.KeyOnlyKeyValue(
          buffer.array(), buffer.arrayOffset() + at, cell.keyLength);
    }
    byte[] copy = new byte[cell.keyLength];
    buffer.get(at, copy);
    return new KeyValue.KeyOnlyKeyValue(copy, 0, copy.length);
  }

  @Override
  public ByteBuffer value() {
    return buffer.slice(start + position + PlainCell.LENGTHS + cell.keyLength, cell.valueLength);
  }
}
