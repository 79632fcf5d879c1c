package org.fastpath.offheap.reader;

import java.util.Arrays;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.memory.Memory;

/**
 * Decodes a cell of a block whose cells are written as what they differ by from the one before:
 *
 * <pre>
 *  | bytes of cells 4 | cell | cell | ...
 *  cell: | key and value, by the encoding | tags length, tags | sequence number, vint |
 *                                           if the file has     if the file has mvcc
 * </pre>
 *
 * <p>The key is put together in an array, as it would be in a block without encoding; value and
 * tags stay where they are. A cell is decoded after another one or in the place of the one before
 * it, which copies nothing of what both have in common.
 *
 * <p>Before a byte of the block is read it is known to be there. For one thread; used again for
 * each cell.
 */
abstract class DeltaCell {
  /** In front of the first cell: how long the cells would be without encoding. */
  static final int HEADER = Integer.BYTES;

  /** Where a row is in a key. */
  static final long ROW = Short.BYTES;

  static final int TIMESTAMP_AND_TYPE = KeyValue.TIMESTAMP_TYPE_SIZE;

  /** The bytes of a key with an empty row and an empty column. */
  private static final int LEAST_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;

  private static final int USUAL_KEY = 64;

  private final CellFormat format;

  /** As of an unencoded cell: see {@link PlainCell}. */
  byte[] key = new byte[USUAL_KEY];

  private final Memory keyMemory = Memory.of(key);

  int keyLength;
  int rowLength;

  /** Bytes of the family and of its length. */
  int familyBytes;

  long timestamp;
  byte type;

  /** Where the value is in the contents. */
  int value;

  int valueLength;

  /** Where what follows key and value is. */
  int tail;

  /** Where the tags are, without their length. */
  int tags;

  int tagsLength;
  long sequence;

  /** Where the next cell begins. */
  int next;

  DeltaCell(CellFormat format) {
    this.format = format;
  }

  /** Whether an encoding is one of these. */
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

  /** Reads what is in front of the first cell, as a cell without row and value. */
  abstract void beforeFirst(BlockInput in);

  /** Decodes the cell behind another one, which may be this one. */
  final void decode(DeltaCell before, BlockInput in) {
    in.position = before.next;
    decodeAfter(before, in);
  }

  private void decodeAfter(DeltaCell before, BlockInput in) {
    keyAndValue(before, in);
    decodeTail(in);
  }

  /**
   * Decodes key and value of the cell at the input's position. Whatever is needed of the cell
   * before must be read before it is assigned, as they may be the same.
   */
  abstract void keyAndValue(DeltaCell before, BlockInput in);

  /**
   * Takes over the key's first bytes, which are those of the cell before, and the length, once it
   * is known that there can be as many bytes.
   */
  final void beginKey(DeltaCell before, long length, int common, BlockInput in) {
    long most = (long) before.keyLength + before.familyBytes + LEAST_KEY + in.left();
    if (length < LEAST_KEY || length > most) {
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

  /** Makes the key's array as long as it has to be, with what is in it. */
  final void makeRoom(long length) {
    if (length > key.length) {
      key = Arrays.copyOf(key, (int) Math.min(Integer.MAX_VALUE - Long.BYTES, 2 * length));
      keyMemory.wrap(key);
    }
  }

  /** Takes row, family, timestamp and type out of a key that is complete. */
  final void endKey(BlockInput in) {
    int end = keyLength - TIMESTAMP_AND_TYPE;
    timestamp = Bytes.toLong(key, end);
    type = key[keyLength - 1];
    rowLength = Bytes.toShort(key, 0);
    checkRow(in);
    endRow(in);
  }

  final void checkRow(BlockInput in) {
    if (rowLength < 0 || rowLength > keyLength - LEAST_KEY) {
      throw in.corrupt("row length", rowLength);
    }
  }

  /** Takes the family's length out of a key. */
  final void endRow(BlockInput in) {
    int length = key[Short.BYTES + rowLength];
    if (length < 0 || length > keyLength - LEAST_KEY - rowLength) {
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

  /** Becomes the same cell. */
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
   * Becomes the cell that an entry of an index is of.
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

  /** Becomes the cell that an entry of an index is of, without tags and sequence number. */
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

  /** The key's array, to be compared. */
  final Memory keyMemory() {
    return keyMemory;
  }

  /** Where the family is in the key. */
  final long family() {
    return ROW + rowLength + Byte.BYTES;
  }

  final int qualifierLength() {
    return keyLength - Short.BYTES - rowLength - familyBytes - TIMESTAMP_AND_TYPE;
  }

  /** Bytes of the row from a place on, which it has, for {@link Memory#prefix}'s order. */
  final long rowPrefix(int from) {
    return keyMemory.prefix(ROW + from, rowLength - from);
  }
}
