package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFileScanners;

/** Opens scanners of files for HBase: ours, or its own where ours cannot be had. Safe anywhere. */
public final class Scanners {
  private Scanners() {}

  /** As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}. */
  public static HFileScanner open(
      HFile.Reader reader,
      Configuration conf,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction) {
    try {
      HFileScanner scanner =
          OffHeapHFileScanners.open(reader, conf, cacheBlocks, pread, isCompaction);
      ReaderMetrics.scanner(OffHeapHFileScanners.isOffHeap(scanner));
      return scanner;
    } catch (RuntimeException | LinkageError e) {
      ReaderMetrics.scannerFailed(reader.getName(), e);
      return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
    }
  }
}
