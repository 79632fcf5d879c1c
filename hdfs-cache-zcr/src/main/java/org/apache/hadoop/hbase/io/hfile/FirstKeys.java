package org.apache.hadoop.hbase.io.hfile;

import java.util.function.Supplier;
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

  /**
   * The key on the heap.
   *
   * @param inBlock reads the key in the block
   * @param release gives the block back where there is no key to be read, which HBase does not, so
   *     that its mapping would be held for good
   */
  static Cell copy(Supplier<Cell> inBlock, Runnable release) {
    Cell key = null;
    try {
      key = new KeyOnlyKeyValue(PrivateCellUtil.getCellKeySerializedAsKeyValueKey(inBlock.get()));
      return key;
    } finally {
      if (key == null) {
        release.run();
      }
    }
  }
}
