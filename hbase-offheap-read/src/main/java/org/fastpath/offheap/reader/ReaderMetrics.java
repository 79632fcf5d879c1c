package org.fastpath.offheap.reader;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics source {@code OffHeapReader}, shown from the first store on whose engine uses the
 * reader. It counts files and scanners; a cell or a seek costs nothing. Thread-safe.
 */
public final class ReaderMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderMetrics.class);

  private static final AtomicLong OPEN = new AtomicLong();
  private static final AtomicBoolean LOGGED = new AtomicBoolean();
  private static final AtomicBoolean SOURCE_LOGGED = new AtomicBoolean();
  private static final AtomicBoolean GET_LOGGED = new AtomicBoolean();
  private static final Counter SCANNERS;
  private static final Counter STOCK_SCANNERS;
  private static final Counter FAILED_SCANNERS;
  private static final Counter FAILED_SOURCES;
  private static final Counter SPARED_STREAMS;
  private static final Counter LEAN_STORES;
  private static final Counter PLAIN_ROWS;
  private static final Counter LEAN_GETS;
  private static final Counter FAILED_LEAN_GETS;
  private static final Counter MISCONFIGURED_STORES;

  static {
    SourceBuilder builder = Metrics.source("OffHeapReader", "The off-heap reader of HFiles");
    builder.gauge("openFileCount", "Open store files that the off-heap reader reads", OPEN::get);
    SCANNERS = builder.counter("scannerCount", "Scanners of the off-heap reader that were opened");
    STOCK_SCANNERS =
        builder.counter(
            "stockScannerCount",
            "Scanners of HBase, because the off-heap reader does not read that kind of file");
    FAILED_SCANNERS =
        builder.counter(
            "failedScannerCount",
            "Scanners of HBase, because one of the off-heap reader could not be opened");
    FAILED_SOURCES =
        builder.counter(
            "failedSourceCount",
            "Files whose mapped replicas could not be opened as a source of blocks");
    SPARED_STREAMS =
        builder.counter(
            "sparedStreamCount",
            "Streams that long scans did not open, because the file was in memory");
    LEAN_STORES = builder.counter("leanStoreCount", "Stores that were opened for lean scans");
    PLAIN_ROWS = builder.counter("plainRowCount", "Rows of scans that were read at once");
    LEAN_GETS = builder.counter("leanGetCount", "Gets that were answered without HBase's scanners");
    FAILED_LEAN_GETS =
        builder.counter(
            "failedLeanGetCount", "Gets that HBase's scanners answered after an error of ours");
    MISCONFIGURED_STORES =
        builder.counter(
            "misconfiguredStoreCount",
            "Stores that HBase reads, because a key of the reader has an invalid value");
    builder.gauge(
        "unverifiedVersionCount",
        "1 if the HBase version is not verified for the off-heap reader, otherwise 0",
        () -> ReaderSupport.available() ? 0 : 1);
    builder.register();
  }

  private ReaderMetrics() {}

  /** Shows the source, once in a process. */
  static void register() {
    // The static initializer registers the source.
  }

  /** Returns the number of open store files. */
  public static long openFiles() {
    return OPEN.get();
  }

  static void scanner() {
    SCANNERS.increment();
  }

  static void stockScanner() {
    STOCK_SCANNERS.increment();
  }

  /** Returns the number of HBase's scanners so far. */
  static long stockScanners() {
    return STOCK_SCANNERS.sum();
  }

  /** Returns the number of our scanners so far. */
  static long scanners() {
    return SCANNERS.sum();
  }

  public static void streamSpared() {
    SPARED_STREAMS.increment();
  }

  public static long sparedStreams() {
    return SPARED_STREAMS.sum();
  }

  public static void leanStore() {
    LEAN_STORES.increment();
  }

  public static long leanStores() {
    return LEAN_STORES.sum();
  }

  /** Counts rows of a scan that were read at once. */
  public static void plainRows(int rows) {
    PLAIN_ROWS.add(rows);
  }

  public static long plainRows() {
    return PLAIN_ROWS.sum();
  }

  /** Counts a get that was answered without HBase's scanners. */
  public static void leanGet() {
    LEAN_GETS.increment();
  }

  public static long leanGets() {
    return LEAN_GETS.sum();
  }

  /** Counts and logs a get that HBase's scanners answer after an error. */
  public static void leanGetFailed(String region, Throwable why) {
    FAILED_LEAN_GETS.increment();
    if (GET_LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "HBase's scanners answer a get of {}, because ours failed; further cases are only counted",
          region,
          why);
    } else {
      LOG.debug("HBase's scanners answer a get of {}, because ours failed", region, why);
    }
  }

  /** Logs the first failure with its cause at level WARN, later ones at level DEBUG. */
  static void scannerFailed(String file, Throwable why) {
    FAILED_SCANNERS.increment();
    if (LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "HBase's reader reads {}, because ours could not be opened; further "
              + "cases are only counted",
          file,
          why);
    } else {
      LOG.debug("HBase's reader reads {}, because ours could not be opened", file, why);
    }
  }

  /** Logs a source of blocks outside of the cache that could not be opened for a file. */
  static void sourceFailed(String file, Throwable why) {
    FAILED_SOURCES.increment();
    if (SOURCE_LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "The off-heap reader reads {} from the cache only, because a source of "
              + "blocks could not be opened; further cases are only counted",
          file,
          why);
    } else {
      LOG.debug(
          "The off-heap reader reads {} from the cache only, because a source "
              + "could not be opened",
          file,
          why);
    }
  }

  static void misconfigured() {
    MISCONFIGURED_STORES.increment();
  }

  /** Counts the reader of an open file until the first close. Further closes have no effect. */
  public static final class OpenFile {
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final int counted;

    /** Only the reader for random reads is counted. Readers for streaming are closed separately. */
    public OpenFile(ReaderContext context) {
      counted = context.getReaderType() == ReaderContext.ReaderType.PREAD ? 1 : 0;
      OPEN.addAndGet(counted);
    }

    /** Returns whether this is the first close. */
    public boolean close() {
      boolean first = open.compareAndSet(true, false);
      if (first) {
        OPEN.addAndGet(-counted);
      }
      return first;
    }
  }
}
