package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.memory.Memory;

/**
 * Builds the {@link BlockIndex} of a block in which each cell is written as its difference from the
 * previous one. An entry has everything that a decoder needs to start at its cell.
 *
 * <p>Each encoding takes other fields from the previous cell. So an entry does not store the
 * decoder's state before its cell. It stores the cell itself: the position of its value, and its
 * key without the bytes that the block's first key has too. A cell is restored faster than decoded.
 * Its key can be compared if the eight bytes of rows are equal. The format is the same for all
 * encodings. With rows of 23 bytes and values of 100, an entry takes about 50 bytes, and every 13th
 * cell has one.
 *
 * <p>The index has the layout of other blocks' indexes with two differences. An entry has the
 * position of its record in the index, not that of the cell in the block. The records follow the
 * entries. Lengths and positions are in groups of seven bits, the lowest first:
 *
 * <pre>
 *      0  +---------------------------------------------+
 *         | {@link BlockIndex} of n entries             |
 * 32+12n  +---------------------------------------------+
 *         | record of entry 0: place behind the value,  |  or where the value would be, if it is the
 *         | bytes of value, bytes between value and the |  one of a cell before: then it is not 0
 *         | first place, bytes in common with the first |  bytes away
 *         | key, length of the key's rest, the rest     |
 *         +---------------------------------------------+
 *         | record of entry 1                           |
 *         | ...                                         |
 *         +---------------------------------------------+
 * </pre>
 *
 * <p>An entry is written as soon as the walked part of the block allows for its bytes. So the index
 * has at most 1/{@link BlockIndex#SHARE} of the block's bytes, entries are spread evenly over the
 * block, and one walk is enough.
 *
 * <p>Not thread-safe; one object serves many blocks.
 */
final class RestartIndex {
  /** The largest number of bytes of a record's lengths. */
  private static final int MAX_LENGTHS = 5 * 5;

  private static final int GROUP_BITS = 7;
  private static final int GROUP = (1 << GROUP_BITS) - 1;

  /** A lower bound of an entry's bytes. Below it, the walk does not compute the entry's size. */
  private static final int MIN_ENTRY = BlockIndex.ENTRY + 16;

  private static final int MIN_PLACES = 64;
  private static final int MIN_RECORDS = 4096;

  private int[] places = new int[MIN_PLACES];
  private byte[] records = new byte[MIN_RECORDS];
  private int count;
  private int end;

  void clear() {
    count = 0;
    end = 0;
  }

  /** Drops arrays that are longer than the given number of bytes. */
  void shrink(int most) {
    places = places.length > most / Integer.BYTES ? new int[MIN_PLACES] : places;
    records = records.length > most ? new byte[MIN_RECORDS] : records;
  }

  long keptBytes() {
    return (long) places.length * Integer.BYTES + records.length;
  }

  /** Returns whether an entry may fit after the given number of bytes of the block was walked. */
  boolean hasRoom(int walked) {
    return room(walked) >= MIN_ENTRY;
  }

  private int room(int walked) {
    return walked / BlockIndex.SHARE - count * BlockIndex.ENTRY - end;
  }

  /** Adds an entry if it fits into its share of the walked bytes. */
  void add(DeltaCell cell, DeltaCell first, int walked) {
    int most = Math.min(cell.keyLength, first.keyLength);
    int common = Memory.mismatch(cell.keyMemory(), 0, first.keyMemory(), 0, most);
    int rest = cell.keyLength - common;
    int room = room(walked);
    int start = end;
    ensureRecords(rest);
    putLength(cell.tail);
    putLength(cell.valueLength);
    putLength(cell.tail - cell.valueLength - cell.value);
    putLength(common);
    putLength(rest);
    if (BlockIndex.ENTRY + end - start + rest > room) {
      end = start;
      return;
    }
    System.arraycopy(cell.key, common, records, end, rest);
    end += rest;
    if (count == places.length) {
      places = Arrays.copyOf(places, 2 * count);
    }
    places[count++] = start;
  }

  private void ensureRecords(int rest) {
    int needed = end + MAX_LENGTHS + rest;
    if (needed > records.length) {
      records = Arrays.copyOf(records, 2 * needed);
    }
  }

  private void putLength(int length) {
    int left = length;
    for (; left > GROUP; left >>>= GROUP_BITS) {
      records[end++] = (byte) (left | ~GROUP);
    }
    records[end++] = (byte) left;
  }

  /** Returns the bytes of the index. */
  int bytes() {
    return count == 0 ? 0 : BlockIndex.bytes(count) + end;
  }

  /**
   * Writes the index.
   *
   * @param first the block's first cell
   * @param last the block's last cell, which this method overwrites
   */
  void write(ByteBuffer index, DeltaCell first, DeltaCell last, int format, BlockInput record) {
    int shared =
        Memory.mismatch(
            first.keyMemory(),
            DeltaCell.ROW,
            last.keyMemory(),
            DeltaCell.ROW,
            Math.min(first.rowLength, last.rowLength));
    BlockIndex.putHeader(index, count, format, shared, first.keyMemory(), DeltaCell.ROW);
    record.open(Memory.of(records), 0, end);
    for (int i = 0; i < count; i++) {
      record.position = places[i];
      last.restoreKey(record, first);
      index.putLong(last.rowPrefix(shared));
    }
    for (int i = 0; i < count; i++) {
      index.putInt(BlockIndex.bytes(count) + places[i]);
    }
    index.put(records, 0, end);
  }

  /** Returns the format in the header of an index for blocks in an encoding. */
  static int format(CellFormat format, DataBlockEncoding encoding) {
    return format.code() | encoding.getId() << CellFormat.CODE_BITS;
  }
}
