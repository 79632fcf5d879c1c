package org.fastpath.offheap.reader;

/**
 * A cell of a block in the encoding DIFF. The family is before the first cell. The timestamp is
 * written as itself or as its difference from the previous one. It has neither sign nor leading
 * zeros; the lowest byte is first.
 */
final class DiffCell extends ColumnDeltaCell {
  private static final int SAME_SHIFT = 0;
  private static final int DIFFERENCE = 1 << 3;
  private static final int TIMESTAMP_BYTES_SHIFT = 4;
  private static final int TIMESTAMP_BYTES = 7;
  private static final int NEGATIVE = 1 << 7;

  DiffCell(CellFormat format) {
    super(format, SAME_SHIFT);
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
  long timestamp(long before, int flags, BlockInput in) {
    int bytes = (flags >> TIMESTAMP_BYTES_SHIFT & TIMESTAMP_BYTES) + 1;
    long number = Long.reverseBytes(in.number(bytes)) >>> Long.SIZE - Byte.SIZE * bytes;
    long signed = (flags & NEGATIVE) != 0 ? -number : number;
    return (flags & DIFFERENCE) != 0 ? before - signed : signed;
  }

  @Override
  int value(int before, int flags, BlockInput in) {
    return in.skip("value length", valueLength);
  }
}
