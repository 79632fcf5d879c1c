package org.fastpath.offheap.reader;

/**
 * A cell of a block in the encoding FAST_DIFF. Only the timestamp's bytes that differ from the
 * previous one are written. The value is omitted if it equals that of the previous cell.
 */
final class FastDiffCell extends ColumnDeltaCell {
  private static final int TIMESTAMP_IN_COMMON = 7;
  private static final int SAME_SHIFT = 3;
  private static final int SAME_VALUE = 1 << 6;

  FastDiffCell(CellFormat format) {
    super(format, SAME_SHIFT);
  }

  @Override
  void beforeFirst(BlockInput in) {}

  @Override
  long timestamp(long before, int flags, BlockInput in) {
    int bytesInCommon = flags & TIMESTAMP_IN_COMMON;
    int bytes = Long.BYTES - bytesInCommon;
    long rest = in.number(bytes);
    return bytesInCommon == 0 ? rest : before & -1L << Byte.SIZE * bytes | rest;
  }

  @Override
  int value(int before, int flags, BlockInput in) {
    if ((flags & SAME_VALUE) != 0) {
      in.require("value length", before, valueLength);
      return before;
    }
    return in.skip("value length", valueLength);
  }
}
