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
 * The reader as the source {@code OffHeapReader}, shown from the first store on whose engine knows
 * of it. Counts files and scanners, nothing for a cell or a seek. Safe from any thread.
 */
public final class ReaderMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderMetrics.class);

  private static final AtomicLong OPEN = new AtomicLong();
  private static final AtomicBoolean LOGGED = new AtomicBoolean();
  private static final AtomicBoolean SOURCE_LOGGED = new AtomicBoolean();
  private static final Counter SCANNERS;
  private static final Counter STOCK_SCANNERS;
  private static final Counter FAILED_SCANNERS;
  private static final Counter FAILED_SOURCES;
  private static final Counter SPARED_STREAMS;
  private static final Counter LEAN_STORES;
  private static final Counter MISCONFIGURED_STORES;

  static {
    SourceBuilder builder = Metrics.source("OffHeapReader", "The off-heap reader of HFiles");
    builder.gauge("openFileCount", "Store files that are open and read by it", OPEN::get);
    SCANNERS = builder.counter("scannerCount", "Its scanners that were opened");
    STOCK_SCANNERS =
        builder.counter(
            "stockScannerCount", "Scanners of HBase's over files of a kind that it does not read");
    FAILED_SCANNERS =
        builder.counter(
            "failedScannerCount", "Scanners of HBase's, opened because its own could not be");
    FAILED_SOURCES =
        builder.counter(
            "failedSourceCount", "Files whose blocks in mapped replicas could not be asked for");
    SPARED_STREAMS =
        builder.counter(
            "sparedStreamCount", "Streams that long scans did without, since the file was cached");
    LEAN_STORES = builder.counter("leanStoreCount", "Stores that were opened for lean scans");
    MISCONFIGURED_STORES =
        builder.counter(
            "misconfiguredStoreCount",
            "Stores that stay HBase's because what their table says of the reader is wrong");
    builder.gauge(
        "unverifiedVersionCount",
        "1 on a version of HBase whose files HBase reads because the off-heap reader was not"
            + " verified with it, else 0",
        () -> ReaderSupport.available() ? 0 : 1);
    builder.register();
  }

  private ReaderMetrics() {}

  /** Shows the source, once in a process. */
  static void register() {
    // Its static initializer has done so.
  }

  /** Store files that are open now. */
  public static long openFiles() {
    return OPEN.get();
  }

  static void scanner() {
    SCANNERS.increment();
  }

  static void stockScanner() {
    STOCK_SCANNERS.increment();
  }

  /** Scanners of HBase's so far. */
  static long stockScanners() {
    return STOCK_SCANNERS.sum();
  }

  /** Scanners of ours so far. */
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

  /** The first failure with its cause, the others where somebody looks for them. */
  static void scannerFailed(String file, Throwable why) {
    FAILED_SCANNERS.increment();
    if (LOGGED.compareAndSet(false, true)) {
      LOG.warn("{} is read by HBase; more of the kind are counted only", file, why);
    } else {
      LOG.debug("{} is read by HBase", file, why);
    }
  }

  /** Memory beside the cache could not be asked for a file's blocks. */
  static void sourceFailed(String file, Throwable why) {
    FAILED_SOURCES.increment();
    if (SOURCE_LOGGED.compareAndSet(false, true)) {
      LOG.warn("{} is read from the cache only; more of the kind are counted only", file, why);
    } else {
      LOG.debug("{} is read from the cache only", file, why);
    }
  }

  static void misconfigured() {
    MISCONFIGURED_STORES.increment();
  }

  /** Counts the reader of a file that is open until it is closed, however often that is said. */
  public static final class OpenFile {
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final int counted;

    /** Readers that stream a file exist beside the one that counts, and are closed by others. */
    public OpenFile(ReaderContext context) {
      counted = context.getReaderType() == ReaderContext.ReaderType.PREAD ? 1 : 0;
      OPEN.addAndGet(counted);
    }

    /** Says whether this is the first time. */
    public boolean close() {
      boolean first = open.compareAndSet(true, false);
      if (first) {
        OPEN.addAndGet(-counted);
      }
      return first;
    }
  }
}
