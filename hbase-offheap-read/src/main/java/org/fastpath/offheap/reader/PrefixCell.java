package org.fastpath.offheap.reader;

/**
 * A cell of a block in the encoding PREFIX:
 *
 * <pre>
 *  | length of the key's rest | value length | bytes in common with the key before | rest | value |
 * </pre>
 */
final class PrefixCell extends DeltaCell {
  PrefixCell(CellFormat format) {
    super(format);
  }

  @Override
  void beforeFirst(BlockInput in) {}

  @Override
  void keyAndValue(DeltaCell before, BlockInput in) {
    int rest = in.length("key length");
    valueLength = in.length("value length");
    int common = in.length("length of a common prefix");
    beginKey(before, (long) rest + common, common, in);
    in.copy("key length", key, common, rest);
    endKey(in);
    value = in.skip("value length", valueLength);
  }
}
