package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;

/** Makes a scanner of the off-heap reader for a file that is read once. Safe from any thread. */
public final class OffHeapHFileScanners {
  private OffHeapHFileScanners() {}

  /** As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}. */
  public static HFileScanner open(
      HFile.Reader reader,
      Configuration conf,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction) {
    return new OffHeapHFile(reader, conf).scanner(cacheBlocks, pread, isCompaction);
  }

  /** Whether a scanner that was opened here is not HBase's. */
  public static boolean isOffHeap(HFileScanner scanner) {
    return scanner instanceof OffHeapHFileScanner;
  }
}
