package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * Decides once for a store who reads its files. Where that is HBase, files are the objects that
 * HBase made and nothing is left of us. Immutable.
 */
enum StoreFiles {
  STOCK,
  OFF_HEAP;

  /**
   * Decides.
   *
   * @param conf the store's, in which its table and family may say something
   */
  static StoreFiles of(Configuration conf, HStore store) {
    return ReaderSupport.reads(conf, store.getTableName()) ? OFF_HEAP : STOCK;
  }

  /** The file as it is to be opened. */
  StoreFileInfo attach(StoreFileInfo file) {
    return this == OFF_HEAP ? new OffHeapStoreFileInfo(file) : file;
  }
}
