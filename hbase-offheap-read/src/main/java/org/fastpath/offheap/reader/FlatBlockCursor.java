package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ByteBufferKeyOnlyKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.SizeCachedByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsKeyValue;
import org.fastpath.offheap.memory.Memory;

/**
 * A position in a block whose cells are written in full. Rows are compared by address. Only if rows
 * are equal, HBase's comparator compares the rest of the key.
 */
abstract class FlatBlockCursor extends BlockCursor {
  protected final CellComparator comparator;

  /** Whether the comparator orders rows as bytes. */
  protected final boolean bytewise;

  private final PlainCell cell;
  private final ByteBufferKeyOnlyKeyValue keyOnly = new ByteBufferKeyOnlyKeyValue();

  /** The position of the current cell in the contents. */
  protected int position;

  /** The position of the row that was read last. */
  private int rowPosition;

  /** Whether the current cell's lengths are known. A seek leaves a block's first cell unread. */
  private boolean decoded;

  /**
   * The position of the next cell if it is known before the current one is decoded, otherwise 0.
   */
  private int following;

  FlatBlockCursor(Path path, CellFormat format, CellComparator comparator) {
    super(path);
    this.comparator = comparator;
    bytewise = SearchKey.comparesRowsAsBytes(comparator);
    cell = new PlainCell(format, this::corrupt);
  }

  @Override
  public final void rewind() {
    standBefore(0, 0);
  }

  protected final void decode(int position) {
    standBefore(position, 0);
    cell.decode(memory, address, position, length);
    decoded = true;
  }

  /**
   * Moves to a cell without reading it. A seek to a row behind that cell goes on at once and need
   * not wait for its memory.
   *
   * @param following position of the next cell, or 0 if it is not known
   */
  protected final void standBefore(int position, int following) {
    this.position = position;
    this.following = following;
    decoded = false;
  }

  @Override
  public final void decode() {
    if (!decoded) {
      decode(position);
    }
  }

  @Override
  public final boolean next() {
    int next = following;
    if (next == 0) {
      decode();
      next = position + cell.size;
    }
    if (next >= length) {
      return false;
    }
    decode(next);
    return true;
  }

  @Override
  public final boolean readRow(PlainRow row, Cell first) {
    rowPosition = position;
    row.begin();
    boolean whole = false;
    try {
      whole = readRowFrom(row, first);
    } finally {
      if (!whole) {
        backToRow();
      }
    }
    return whole;
  }

  @Override
  public final boolean readsRows() {
    return bytewise;
  }

  private boolean readRowFrom(PlainRow row, Cell first) {
    decode();
    long key = PlainCell.row(address + position);
    int bytes = cell.rowLength;
    Cell current = first;
    do {
      int outcome = row.look(memory, address + position, cell);
      if (outcome == PlainRow.REFUSED) {
        return false;
      }
      if (outcome == PlainRow.TAKEN) {
        row.add(current == null ? cell() : current);
      }
      current = null;
      int next = position + cell.size;
      if (next >= length) {
        return false;
      }
      decode(next);
    } while (cell.rowLength == bytes
        && Memory.mismatch(memory, key, memory, PlainCell.row(address + position), bytes) == bytes);
    return true;
  }

  @Override
  public final void backToRow() {
    standBefore(rowPosition, 0);
  }

  /** Seeks by {@link #next} only. */
  protected final int walk(Cell key, boolean before) {
    decode();
    int previous = -1;
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

  /**
   * Ends a seek whose key is not greater than the current cell, and greater than the previous one.
   */
  private int stepBack(Cell key, int order, int previous) {
    if (previous >= 0) {
      decode(previous);
      return 1;
    }
    if (order == 0) {
      throw noCellBefore(key);
    }
    return lessThanStart();
  }

  /** Returns a seek's result for a key that is less than the seek's first cell. */
  protected abstract int lessThanStart();

  /** Compares a key with the cell at a position. The current cell is decoded again later. */
  protected final int compareAt(Cell key, int place) {
    decoded = false;
    cell.decodeKey(memory, address, place, length);
    return compareWith(key, place);
  }

  private int compareWith(Cell key, int place) {
    if (!bytewise) {
      return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, keyAt(place));
    }
    long row = PlainCell.row(address + place);
    int order = searched().compareRow(memory, row, cell.rowLength);
    if (order != 0) {
      return order;
    }
    int family = memory.getByte(row + cell.rowLength);
    order =
        searched()
            .compareColumn(
                key,
                memory,
                row + cell.rowLength + Byte.BYTES,
                family,
                cell.qualifierLength(family));
    return order != 0 ? order : comparator.compareWithoutRow(key, keyAt(place));
  }

  private Cell keyAt(int place) {
    keyOnly.setKey(
        buffer, start + place + PlainCell.LENGTHS, cell.keyLength, (short) cell.rowLength);
    return keyOnly;
  }

  @Override
  public final int compare(CellComparator comparator, Cell key) {
    decode();
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, keyAt(position));
  }

  @Override
  public final Cell cell() {
    decode();
    int bytes = PlainCell.LENGTHS + cell.keyLength + cell.valueLength;
    short row = (short) cell.rowLength;
    boolean tags = cell.tagsLength > 0;
    bytes += tags ? PlainCell.TAGS_LENGTH + cell.tagsLength : 0;
    int at = start + position;
    if (!memory.isOnHeap()) {
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
  public final Cell key() {
    decode();
    int at = start + position + PlainCell.LENGTHS;
    if (memory.isOnHeap()) {
      return new KeyValue.KeyOnlyKeyValue(
          buffer.array(), buffer.arrayOffset() + at, cell.keyLength);
    }
    byte[] copy = new byte[cell.keyLength];
    buffer.get(at, copy);
    return new KeyValue.KeyOnlyKeyValue(copy, 0, copy.length);
  }

  @Override
  public final ByteBuffer value() {
    decode();
    return buffer.slice(start + position + PlainCell.LENGTHS + cell.keyLength, cell.valueLength);
  }
}
