package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The directory of a region, for one of its stores, whose files are created through a file system
 * of ours. What HBase itself does with the directory goes through the region's own, so that a file
 * of the same HDFS is still known as such. Here for a constructor, a field and a method that are
 * not public in each version; safe from any thread, as what it extends.
 */
public final class PlacedRegionFileSystem extends HRegionFileSystem {
  private final FileSystem files;

  /** The directory of a store's region. */
  public PlacedRegionFileSystem(HStore store, FileSystem files) {
    super(
        store.conf,
        store.getRegionFileSystem().getFileSystem(),
        store.getRegionFileSystem().getTableDir(),
        store.getRegionInfo());
    this.files = files;
  }

  /** The configuration of a store, with its table's and family's attributes. */
  public static Configuration configuration(HStore store) {
    return store.conf;
  }

  /** What a store and its tracker know of where they are. */
  public static StoreContext context(HStore store) {
    return store.getStoreContext();
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }
}
