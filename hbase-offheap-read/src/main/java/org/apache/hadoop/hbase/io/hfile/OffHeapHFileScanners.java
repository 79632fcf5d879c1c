package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;

/** Makes the scanner that reads a file's blocks by the off-heap reader. Safe from any thread. */
public final class OffHeapHFileScanners {
  private OffHeapHFileScanners() {}

  /** As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}. */
  public static HFileScanner open(
      HFile.Reader reader,
      Configuration conf,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction) {
    return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
  }
}
