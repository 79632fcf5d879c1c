package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The directory of a region, for one of its stores. Files of the store are created through a file
 * system of ours. HBase's own operations use the region's file system, so HBase still recognizes a
 * file of the same HDFS. The class is in this package for a constructor, a field and a method that
 * are not public in each version. Thread-safe, like its superclass.
 */
public final class PlacedRegionFileSystem extends HRegionFileSystem {
  private final FileSystem files;

  /** Returns the directory of a store's region. */
  public PlacedRegionFileSystem(HStore store, FileSystem files) {
    super(
        store.conf,
        store.getRegionFileSystem().getFileSystem(),
        store.getRegionFileSystem().getTableDir(),
        store.getRegionInfo());
    this.files = files;
  }

  /** Returns the configuration of a store, with its table's and family's attributes. */
  public static Configuration configuration(HStore store) {
    return store.conf;
  }

  /** Returns the context of a store and its tracker. */
  public static StoreContext context(HStore store) {
    return store.getStoreContext();
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }
}
