package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFile;

/**
 * Opens scanners of a file for HBase: ours, or HBase's own if ours cannot be opened. Thread-safe.
 */
public final class Scanners {
  private final HFile.Reader reader;
  private final Configuration conf;

  /**
   * The state that scanners share; null before the first one, because the file may not be fully
   * open earlier.
   */
  private volatile OffHeapHFile file;

  public Scanners(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    this.conf = conf;
  }

  /**
   * Opens a scanner like {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}.
   */
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
      // HBase's scanner does not survive a miss.
      MemoryOnly.miss();
      return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
    }
  }

  /**
   * Opens the shared state before the first scanner, because the cache asks early which blocks are
   * in other memory. If it fails, the first scanner tries again.
   */
  public void prepare() {
    try {
      file();
    } catch (RuntimeException | LinkageError e) {
      ReaderMetrics.scannerFailed(reader.getName(), e);
    }
  }

  /** Closes the file; open scanners stay valid. */
  public void close() {
    OffHeapHFile known = file;
    if (known != null) {
      known.close();
    }
  }

  private OffHeapHFile file() {
    OffHeapHFile known = file;
    if (known == null) {
      // Two threads may create it at the same time. The copies differ only in the offsets that they
      // learn later.
      known = new OffHeapHFile(reader, conf);
      file = known;
    }
    return known;
  }
}
