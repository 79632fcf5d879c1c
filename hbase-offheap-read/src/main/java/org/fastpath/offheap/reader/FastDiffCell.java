package org.fastpath.offheap.reader;

/**
 * A cell of a block in the encoding FAST_DIFF. Of the timestamp, what is not in common with the one
 * before is written. The value is left out if it is that of the cell before.
 */
final class FastDiffCell extends ColumnDeltaCell {
  private static final int TIMESTAMP_IN_COMMON = 7;
  private static final int SAME_KEY_LENGTH = 1 << 3;
  private static final int SAME_VALUE_LENGTH = 1 << 4;
  private static final int SAME_TYPE = 1 << 5;
  private static final int SAME_VALUE = 1 << 6;

  FastDiffCell(CellFormat format) {
    super(format);
  }

  @Override
  void beforeFirst(BlockInput in) {}

  @Override
  void keyAndValue(DeltaCell before, BlockInput in) {
    int flags = in.get();
    int beforeLength = before.keyLength;
    int length = (flags & SAME_KEY_LENGTH) != 0 ? beforeLength : in.length("key length");
    valueLength = (flags & SAME_VALUE_LENGTH) != 0 ? before.valueLength : in.length("value length");
    int common = in.length("length of a common prefix");
    beginKey(before, length, common, in);
    column(before, common, beforeLength, in);
    timestamp = timestamp(before.timestamp, flags & TIMESTAMP_IN_COMMON, in);
    type = (flags & SAME_TYPE) != 0 ? before.type : in.get();
    putTimestampAndType();
    value = value(before.value, (flags & SAME_VALUE) != 0, in);
  }

  private static long timestamp(long before, int bytesInCommon, BlockInput in) {
    int bytes = Long.BYTES - bytesInCommon;
    long rest = in.number(bytes);
    return bytesInCommon == 0 ? rest : before & -1L << Byte.SIZE * bytes | rest;
  }

  private int value(int before, boolean same, BlockInput in) {
    if (same) {
      in.require("value length", before, valueLength);
      return before;
    }
    return in.skip("value length", valueLength);
  }
}
