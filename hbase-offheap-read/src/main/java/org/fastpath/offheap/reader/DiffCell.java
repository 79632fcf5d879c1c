package org.fastpath.offheap.reader;

/**
 * A cell of a block in the encoding DIFF. The family is in front of the first cell. The timestamp
 * is written without sign and leading zeros, its lowest byte first: itself, or what it differs by
 * from the one before.
 */
final class DiffCell extends ColumnDeltaCell {
  private static final int SAME_KEY_LENGTH = 1;
  private static final int SAME_VALUE_LENGTH = 1 << 1;
  private static final int SAME_TYPE = 1 << 2;
  private static final int DIFFERENCE = 1 << 3;
  private static final int TIMESTAMP_BYTES_SHIFT = 4;
  private static final int TIMESTAMP_BYTES = 7;
  private static final int NEGATIVE = 1 << 7;

  DiffCell(CellFormat format) {
    super(format);
  }

  @Override
  void beforeFirst(BlockInput in) {
    byte length = in.get();
    makeRoom(Short.BYTES + Byte.BYTES + length);
    key[Short.BYTES] = length;
    in.copy("family length", key, Short.BYTES + Byte.BYTES, length);
    familyBytes = Byte.BYTES + length;
  }

  @Override
  void keyAndValue(DeltaCell before, BlockInput in) {
    int flags = in.get();
    int beforeLength = before.keyLength;
    int length = (flags & SAME_KEY_LENGTH) != 0 ? beforeLength : in.length("key length");
    valueLength = (flags & SAME_VALUE_LENGTH) != 0 ? before.valueLength : in.length("value length");
    int common = in.length("length of a common prefix");
    beginKey(before, length, common, in);
    column(before, common, beforeLength, in);
    timestamp = timestamp(before.timestamp, flags, in);
    type = (flags & SAME_TYPE) != 0 ? before.type : in.get();
    putTimestampAndType();
    value = in.skip("value length", valueLength);
  }

  private static long timestamp(long before, int flags, BlockInput in) {
    int bytes = (flags >> TIMESTAMP_BYTES_SHIFT & TIMESTAMP_BYTES) + 1;
    long number = Long.reverseBytes(in.number(bytes)) >>> Long.SIZE - Byte.SIZE * bytes;
    long signed = (flags & NEGATIVE) != 0 ? -number : number;
    return (flags & DIFFERENCE) != 0 ? before - signed : signed;
  }
}
