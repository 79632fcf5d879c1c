package org.apache.hadoop.hbase.io.hfile;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** What the index of a file has of its data blocks; other packages cannot see it. */
public final class IndexKeys {
  private IndexKeys() {}

  /** A key for each data block of a file whose index has one level. */
  public static List<Cell> of(HFile.Reader reader) {
    HFileBlockIndex.CellBasedKeyBlockIndexReader index = reader.getDataBlockIndexReader();
    List<Cell> keys = new ArrayList<>();
    for (int i = 0; i < index.getRootBlockCount(); i++) {
      keys.add(index.getRootBlockKey(i));
    }
    return keys;
  }
}
