package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFile;

/**
 * Opens scanners of a file for HBase: ours, or its own where ours cannot be had. Safe from any
 * thread.
 */
public final class Scanners {
  private final HFile.Reader reader;
  private final Configuration conf;

  /** What the scanners share; null until there is one, as a file may not be all open before. */
  private volatile OffHeapHFile file;

  public Scanners(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    this.conf = conf;
  }

  /** As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}. */
  public HFileScanner open(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    try {
      HFileScanner scanner = file().scanner(cacheBlocks, pread, isCompaction);
      if (OffHeapHFile.isOffHeap(scanner)) {
        ReaderMetrics.scanner();
      } else {
        StockTables.scanner(reader.getPath(), reader.getEffectiveEncodingInCache(isCompaction));
      }
      return scanner;
    } catch (RuntimeException | LinkageError e) {
      ReaderMetrics.scannerFailed(reader.getName(), e);
      return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
    }
  }

  /**
   * Opens what the scanners share before there is one: the cache asks at once which blocks of the
   * file are in other memory. A failure is the first scanner's to meet.
   */
  public void prepare() {
    try {
      file();
    } catch (RuntimeException | LinkageError e) {
      ReaderMetrics.scannerFailed(reader.getName(), e);
    }
  }

  /** Ends the use of the file; scanners that are open stay valid. */
  public void close() {
    OffHeapHFile known = file;
    if (known != null) {
      known.close();
    }
  }

  private OffHeapHFile file() {
    OffHeapHFile known = file;
    if (known == null) {
      // Made twice by two threads at once, it is the same but for what it has learned.
      known = new OffHeapHFile(reader, conf);
      file = known;
    }
    return known;
  }
}
