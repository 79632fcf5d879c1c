package org.fastpath.offheap.reader;

import java.util.Arrays;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.memory.Memory;

/**
 * Decodes a cell of a block in which each cell is written as its difference from the previous one:
 *
 * <pre>
 *  | bytes of cells 4 | cell | cell | ...
 *  cell: | key and value, by the encoding | tags length, tags | sequence number, vint |
 *                                           if the file has     if the file has mvcc
 * </pre>
 *
 * <p>The key is assembled in an array, in the format of a block without encoding. Value and tags
 * stay in the block. A cell can be decoded over the previous one, which copies no common bytes.
 *
 * <p>Each byte is checked to be in the block before it is read. Not thread-safe; one object serves
 * many cells.
 */
abstract class DeltaCell {
  /** The bytes before the first cell: the length of all cells without encoding. */
  static final int HEADER = Integer.BYTES;

  /** The position of a row in a key. */
  static final long ROW = Short.BYTES;

  static final int TIMESTAMP_AND_TYPE = KeyValue.TIMESTAMP_TYPE_SIZE;

  /** The bytes of a key with an empty row and an empty column. */
  private static final int MIN_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;

  private static final int USUAL_KEY = 64;

  private final CellFormat format;

  /** The key in the format of an unencoded cell: see {@link PlainCell}. */
  byte[] key = new byte[USUAL_KEY];

  private final Memory keyMemory = Memory.of(key);

  int keyLength;
  int rowLength;

  /** The bytes of the family and of its length. */
  int familyBytes;

  long timestamp;
  byte type;

  /** The position of the value in the contents. */
  int value;

  int valueLength;

  /** The position behind key and value. */
  int tail;

  /** The position of the tags, behind their length. */
  int tags;

  int tagsLength;
  long sequence;

  /** The position of the next cell. */
  int next;

  DeltaCell(CellFormat format) {
    this.format = format;
  }

  /** Returns whether an encoding writes differences. */
  static boolean isDelta(DataBlockEncoding encoding) {
    return switch (encoding) {
      case PREFIX, DIFF, FAST_DIFF -> true;
      default -> false;
    };
  }

  static DeltaCell of(DataBlockEncoding encoding, CellFormat format) {
    return switch (encoding) {
      case PREFIX -> new PrefixCell(format);
      case DIFF -> new DiffCell(format);
      case FAST_DIFF -> new FastDiffCell(format);
      default -> throw new IllegalArgumentException(encoding.toString());
    };
  }

  /** Decodes the first cell of a block. */
  final void decodeFirst(BlockInput in) {
    keyLength = TIMESTAMP_AND_TYPE;
    rowLength = 0;
    familyBytes = 0;
    timestamp = 0;
    type = 0;
    value = 0;
    valueLength = 0;
    in.position = 0;
    in.skip("length", HEADER);
    beforeFirst(in);
    decodeAfter(this, in);
  }

  /** Reads the fields before the first cell, like a cell without row and value. */
  abstract void beforeFirst(BlockInput in);

  /** Decodes the cell behind another one, which may be this object. */
  final void decode(DeltaCell before, BlockInput in) {
    in.position = before.next;
    decodeAfter(before, in);
  }

  private void decodeAfter(DeltaCell before, BlockInput in) {
    keyAndValue(before, in);
    decodeTail(in);
  }

  /**
   * Decodes key and value of the cell at the input's position. The previous cell may be this
   * object. So read each of its fields before you assign the same field.
   */
  abstract void keyAndValue(DeltaCell before, BlockInput in);

  /**
   * Copies the bytes that the key shares with the previous one, and sets the length. It first
   * checks that the block can contain that many bytes.
   */
  final void beginKey(DeltaCell before, long length, int common, BlockInput in) {
    long most = (long) before.keyLength + before.familyBytes + MIN_KEY + in.left();
    if (length < MIN_KEY || length > most) {
      throw in.corrupt("key length", length);
    }
    if (common > length || common > before.keyLength) {
      throw in.corrupt("length of a common prefix", common);
    }
    makeRoom(length);
    if (before != this) {
      System.arraycopy(before.key, 0, key, 0, common);
    }
    keyLength = (int) length;
  }

  /** Extends the key's array if necessary and keeps its bytes. */
  final void makeRoom(long length) {
    if (length > key.length) {
      key = Arrays.copyOf(key, (int) Math.min(Integer.MAX_VALUE - Long.BYTES, 2 * length));
      keyMemory.wrap(key);
    }
  }

  /** Extracts row, family, timestamp and type from a complete key. */
  final void endKey(BlockInput in) {
    int end = keyLength - TIMESTAMP_AND_TYPE;
    timestamp = Bytes.toLong(key, end);
    type = key[keyLength - 1];
    rowLength = Bytes.toShort(key, 0);
    checkRow(in);
    endRow(in);
  }

  final void checkRow(BlockInput in) {
    if (rowLength < 0 || rowLength > keyLength - MIN_KEY) {
      throw in.corrupt("row length", rowLength);
    }
  }

  /** Extracts the family's length from a key. */
  final void endRow(BlockInput in) {
    int length = key[Short.BYTES + rowLength];
    if (length < 0 || length > keyLength - MIN_KEY - rowLength) {
      throw in.corrupt("family length", length);
    }
    familyBytes = Byte.BYTES + length;
  }

  private void decodeTail(BlockInput in) {
    tail = in.position;
    if (format.tags()) {
      tagsLength = in.length("tags length");
      tags = in.skip("tags length", tagsLength);
    }
    sequence = format.mvcc() ? in.vlong() : 0;
    next = in.position;
  }

  /** Copies another cell. */
  final void copy(DeltaCell other) {
    if (other.keyLength > key.length) {
      key = new byte[other.key.length];
      keyMemory.wrap(key);
    }
    System.arraycopy(other.key, 0, key, 0, other.keyLength);
    keyLength = other.keyLength;
    rowLength = other.rowLength;
    familyBytes = other.familyBytes;
    timestamp = other.timestamp;
    type = other.type;
    value = other.value;
    valueLength = other.valueLength;
    tail = other.tail;
    tags = other.tags;
    tagsLength = other.tagsLength;
    sequence = other.sequence;
    next = other.next;
  }

  /**
   * Restores the cell of an index entry.
   *
   * @param record at the entry's record: see {@link RestartIndex}
   * @param first the block's first cell
   */
  final void restore(BlockInput record, DeltaCell first, BlockInput in) {
    restoreKey(record, first);
    in.require("value length", value, valueLength);
    in.position = tail;
    decodeTail(in);
  }

  /** Restores the cell of an index entry, without tags and sequence number. */
  final void restoreKey(BlockInput record, DeltaCell first) {
    tail = record.length("place");
    valueLength = record.length("value length");
    value = tail - valueLength - record.length("distance of a value");
    int common = record.length("length of a common prefix");
    int rest = record.length("key length");
    beginKey(first, (long) common + rest, common, record);
    record.copy("key length", key, common, rest);
    endKey(record);
  }

  /** Returns the key's array for comparisons. */
  final Memory keyMemory() {
    return keyMemory;
  }

  /** Returns the position of the family in the key. */
  final long family() {
    return ROW + rowLength + Byte.BYTES;
  }

  final int qualifierLength() {
    return keyLength - Short.BYTES - rowLength - familyBytes - TIMESTAMP_AND_TYPE;
  }

  /** Returns the row's bytes from a position inside it, in the order of {@link Memory#prefix}. */
  final long rowPrefix(int from) {
    return keyMemory.prefix(ROW + from, rowLength - from);
  }
}
