package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.io.WritableUtils;
import org.fastpath.offheap.memory.Memory;

/**
 * Decodes a cell of a block without encoding:
 *
 * <pre>
 *  | key length 4 | value length 4 | key | value | tags length 2, tags | sequence number, vint |
 *                                                  if the file has tags   if the file has mvcc
 *  key: | row length 2 | row | family length 1 | family | qualifier | timestamp 8 | type 1 |
 * </pre>
 *
 * <p>Each byte is checked to be in the block before it is read. Not thread-safe; one object serves
 * many cells.
 */
final class PlainCell {
  /** The bytes of lengths before a cell's key. */
  static final int LENGTHS = 2 * Integer.BYTES;

  static final int TAGS_LENGTH = Short.BYTES;

  /** The bytes of a key with an empty row and an empty column. */
  private static final int MIN_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;

  /** The smallest size of a cell in bytes. */
  static final int MIN_BYTES = LENGTHS + MIN_KEY;

  private final CellFormat format;
  private final CorruptionReporter corruption;

  int keyLength;
  int valueLength;
  int rowLength;
  int tagsLength;
  long sequence;

  /** The bytes from this cell to the next one. */
  int size;

  PlainCell(CellFormat format, CorruptionReporter corruption) {
    this.format = format;
    this.corruption = corruption;
  }

  /** Decodes the lengths of the cell at a position of contents with {@code length} bytes. */
  void decode(Memory memory, long address, int position, int length) {
    decodeKey(memory, address, position, length);
    long at = address + position;
    int left = length - position;
    int end = LENGTHS + keyLength + valueLength;
    end = format.tags() ? tags(memory, at, end, left, position) : end;
    size = format.mvcc() ? sequence(memory, at, end, left, position) : end;
  }

  /**
   * Decodes the lengths of the key and the value only. The end of a cell can be in another line of
   * the processor's cache.
   */
  void decodeKey(Memory memory, long address, int position, int length) {
    long at = address + position;
    int left = length - position;
    if (left < MIN_BYTES) {
      throw corruption.of("rest of a block", left, position);
    }
    long lengths = memory.bigEndianLong(at);
    keyLength = (int) (lengths >>> Integer.SIZE);
    valueLength = (int) lengths;
    rowLength = memory.bigEndianShort(at + LENGTHS);
    if (keyLength < MIN_KEY || keyLength > left - LENGTHS) {
      throw corruption.of("key length", keyLength, position);
    }
    int afterKey = LENGTHS + keyLength;
    if (valueLength < 0 || valueLength > left - afterKey) {
      throw corruption.of("value length", valueLength, position);
    }
    if (rowLength < 0 || rowLength > keyLength - MIN_KEY) {
      throw corruption.of("row length", rowLength, position);
    }
    int familyLength = memory.getByte(row(at) + rowLength);
    if (familyLength < 0 || familyLength > keyLength - MIN_KEY - rowLength) {
      throw corruption.of("family length", familyLength, position);
    }
  }

  private int tags(Memory memory, long at, int end, int left, int position) {
    if (left - end < TAGS_LENGTH) {
      throw corruption.of("rest of a block for tags", left - end, position);
    }
    tagsLength = memory.bigEndianShort(at + end) & 0xffff;
    if (tagsLength > left - end - TAGS_LENGTH) {
      throw corruption.of("tags length", tagsLength, position);
    }
    return end + TAGS_LENGTH + tagsLength;
  }

  private int sequence(Memory memory, long at, int end, int left, int position) {
    if (left == end) {
      throw corruption.of("rest of a block for a sequence number", 0, position);
    }
    if (!format.readMvcc()) {
      return end + 1;
    }
    byte first = memory.getByte(at + end);
    int bytes = WritableUtils.decodeVIntSize(first);
    if (bytes == 1) {
      sequence = first;
      return end + 1;
    }
    if (bytes > left - end) {
      throw corruption.of("length of a sequence number", bytes, position);
    }
    long value = memory.bigEndianNumber(at + end + 1, bytes - 1);
    sequence = WritableUtils.isNegativeVInt(first) ? ~value : value;
    return end + bytes;
  }

  int qualifierLength(int familyLength) {
    return keyLength - MIN_KEY - rowLength - familyLength;
  }

  /** Returns the address of the row of the cell at this address. */
  static long row(long cell) {
    return cell + LENGTHS + Short.BYTES;
  }
}
