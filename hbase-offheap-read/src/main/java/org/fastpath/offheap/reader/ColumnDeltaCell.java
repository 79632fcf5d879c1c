package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.util.Bytes;

/**
 * A cell of a block in an encoding that writes the family once, because all cells have the same. It
 * writes timestamp and type apart from the rest of the key:
 *
 * <pre>
 *  | flags 1 | key length      | value length    | bytes in common with the key before |
 *              unless the same   unless the same
 *  | rest of row | rest of qualifier | timestamp | type          | value |
 *    if another    all if another row              unless the same
 * </pre>
 */
abstract class ColumnDeltaCell extends DeltaCell {
  private static final int SAME_KEY_LENGTH = 1;
  private static final int SAME_VALUE_LENGTH = 1 << 1;
  private static final int SAME_TYPE = 1 << 2;

  private final int sameShift;

  /**
   * Decodes cells of a format.
   *
   * @param sameShift the position of the bits for equal fields in the flags
   */
  ColumnDeltaCell(CellFormat format, int sameShift) {
    super(format);
    this.sameShift = sameShift;
  }

  @Override
  final void keyAndValue(DeltaCell before, BlockInput in) {
    int flags = in.get();
    int same = flags >> sameShift;
    int beforeLength = before.keyLength;
    int length = (same & SAME_KEY_LENGTH) != 0 ? beforeLength : in.length("key length");
    valueLength = (same & SAME_VALUE_LENGTH) != 0 ? before.valueLength : in.length("value length");
    int common = in.length("length of a common prefix");
    beginKey(before, length, common, in);
    column(before, common, beforeLength, in);
    timestamp = timestamp(before.timestamp, flags, in);
    type = (same & SAME_TYPE) != 0 ? before.type : in.get();
    putTimestampAndType();
    value = value(before.value, flags, in);
  }

  abstract long timestamp(long before, int flags, BlockInput in);

  /**
   * Reads the value.
   *
   * @param before position of the previous cell's value
   * @return its position in the contents
   */
  abstract int value(int before, int flags, BlockInput in);

  /** Decodes the rest of row and qualifier of a key that was begun. */
  private void column(DeltaCell before, int common, int beforeLength, BlockInput in) {
    int end = keyLength - TIMESTAMP_AND_TYPE;
    if (common > Math.min(end, beforeLength - TIMESTAMP_AND_TYPE)) {
      throw in.corrupt("length of a common prefix", common);
    }
    if (common >= Short.BYTES + before.rowLength) {
      rowLength = before.rowLength;
      checkRow(in);
      in.copy("key length", key, common, end - common);
    } else {
      row(before, common, in);
      int from = Short.BYTES + rowLength + familyBytes;
      in.copy("key length", key, from, end - from);
    }
    endRow(in);
  }

  private void row(DeltaCell before, int common, BlockInput in) {
    int familyAt = Short.BYTES + before.rowLength;
    if (common < Short.BYTES) {
      in.copy("row length", key, common, Short.BYTES - common);
    }
    rowLength = Bytes.toShort(key, 0);
    checkRow(in);
    int to = Short.BYTES + rowLength;
    familyBytes = before.familyBytes;
    if (familyBytes > keyLength - TIMESTAMP_AND_TYPE - to) {
      throw in.corrupt("key length", keyLength);
    }
    if (before != this || familyAt != to) {
      System.arraycopy(before.key, familyAt, key, to, familyBytes);
    }
    int from = Math.max(common, Short.BYTES);
    in.copy("row length", key, from, to - from);
  }

  private void putTimestampAndType() {
    Bytes.putLong(key, keyLength - TIMESTAMP_AND_TYPE, timestamp);
    key[keyLength - 1] = type;
  }
}
