package org.fastpath.offheap.cache;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.regionserver.DataTieringManager;

/**
 * Asks HBase's data tiering which data is hot, where HBase has it: from 2.6.4 on, and only those
 * versions call the methods that ask.
 */
final class DataTiering {
  private DataTiering() {}

  static boolean isHot(HFileInfo info, Configuration conf) {
    DataTieringManager manager = DataTieringManager.getInstance();
    return manager == null || manager.isHotData(info, conf);
  }

  static boolean isHot(long maxTimestamp, Configuration conf) {
    DataTieringManager manager = DataTieringManager.getInstance();
    return manager == null || manager.isHotData(maxTimestamp, conf);
  }
}
