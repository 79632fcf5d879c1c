package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * Decides once for a store which reader its files get. If it is HBase's, the store uses HBase's own
 * objects for files, and none of ours. Immutable.
 */
enum StoreFiles {
  STOCK,
  OFF_HEAP;

  /**
   * Decides for a store.
   *
   * @param conf the store's configuration, with the attributes of its table and family
   */
  static StoreFiles of(Configuration conf, HStore store) {
    return ReaderSupport.reads(conf, store.getTableName()) ? OFF_HEAP : STOCK;
  }

  /** Returns the file in the form in which the store opens it. */
  StoreFileInfo attach(StoreFileInfo file) {
    return this == OFF_HEAP ? new OffHeapStoreFileInfo(file) : file;
  }
}
