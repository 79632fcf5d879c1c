package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue.KeyOnlyKeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * First keys of blocks, copied. A scan backwards keeps the first key of a block that it has given
 * back, as the next indexed key. Over a cache's memory that key may change under its hands; over a
 * mapping that was unmapped meanwhile, to read it is the end of the process.
 */
final class FirstKeys {
  private FirstKeys() {}

  /** The key on the heap. */
  static Cell copy(Cell inBlock) {
    return new KeyOnlyKeyValue(PrivateCellUtil.getCellKeySerializedAsKeyValueKey(inBlock));
  }
}
