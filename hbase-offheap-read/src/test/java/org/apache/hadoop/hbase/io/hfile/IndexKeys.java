package org.apache.hadoop.hbase.io.hfile;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** Exposes a file's index keys of its data blocks, which are package-private. */
public final class IndexKeys {
  private IndexKeys() {}

  /** Returns a key for each data block of a file with a single-level index. */
  public static List<Cell> of(HFile.Reader reader) {
    HFileBlockIndex.CellBasedKeyBlockIndexReader index = reader.getDataBlockIndexReader();
    List<Cell> keys = new ArrayList<>();
    for (int i = 0; i < index.getRootBlockCount(); i++) {
      keys.add(index.getRootBlockKey(i));
    }
    return keys;
  }
}
