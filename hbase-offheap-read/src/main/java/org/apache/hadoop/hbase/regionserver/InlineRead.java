package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.LeanRegionScanner.Preparation;
import org.apache.hadoop.hbase.regionserver.PreparingContext.Bounds;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.fastpath.offheap.inline.InlineOptions;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;

/**
 * Reads the rows of a get, or of a request of a scan, from memory before HBase serves the request
 * in the same thread.
 *
 * <p>HBase's own code then serves the request. It checks and counts it, renews the lease, asks
 * quotas and coprocessors, and opens a scanner on the region. {@link #take} gives it the scanner
 * that has already read the rows. So that code does not read a file. It does not wait for the
 * region's lock either, which the thread holds until {@link #finish}.
 *
 * <p>If a new scanner cannot prepare its rows, it is closed, and no metric has counted it. Rows of
 * an open scanner stay in it, unless a read failed. The thread that serves the request gets them
 * first.
 *
 * <p>Not thread-safe.
 */
public final class InlineRead {
  /** The outcome of a preparation. */
  public enum Outcome {
    /** The rows wait. */
    READY,
    /** A handler must serve the request because of its region or its kind. */
    NOT_FOR_US,
    /** A block is not in memory. */
    NOT_IN_MEMORY,
    /** The rows exceed a limit. */
    EXCEEDED
  }

  /** The most bytes of blocks that are read for a request, including skipped cells. */
  private static final long MAX_BLOCK_BYTES = 4L << 20;

  private static final long MAX_MILLIS = 10;

  private static final ThreadLocal<InlineRead> CURRENT = new ThreadLocal<>();

  private final HRegion region;

  /** A new scanner that waits for HBase, otherwise null. */
  private LeanRegionScanner scanner;

  private InlineRead(HRegion region) {
    this.region = region;
  }

  /**
   * Reads the row of a get, in the thread that will serve it.
   *
   * @return {@link Outcome#READY} if the row waits for HBase's code; then {@link #finish} must be
   *     called in this thread
   */
  public static Outcome prepare(
      HRegionServer server, ClientProtos.GetRequest request, InlineOptions options) {
    HRegion region = region(server, request.getRegion());
    return region == null ? Outcome.NOT_FOR_US : prepare(region, request.getGet(), options);
  }

  static Outcome prepare(HRegion region, ClientProtos.Get get, InlineOptions options) {
    return !(region instanceof LeanRegion lean) || get.hasFilter() || get.getClosestRowBefore()
        ? Outcome.NOT_FOR_US
        : new InlineRead(region)
            .from(
                lean.scanFastPath().inlineGets(),
                read ->
                    read.open(
                        () -> scan(get, region),
                        1,
                        bounds(options.maxCells(), options.maxBytes())));
  }

  private static Scan scan(ClientProtos.Get get, HRegion region) throws IOException {
    Scan scan = new Scan(ProtobufUtil.toGet(get));
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    return scan;
  }

  /**
   * Reads the rows of a request of a scan, in the thread that will serve it.
   *
   * @return the outcome; after {@link Outcome#READY}, {@link #finish} must be called in this thread
   */
  public static Outcome prepare(
      HRegionServer server, ClientProtos.ScanRequest request, InlineOptions options) {
    if (!InlineScan.isShort(request, options)) {
      return Outcome.NOT_FOR_US;
    }
    if (request.hasScannerId()) {
      return server.getRSRpcServices().getScanner(request.getScannerId())
              instanceof LeanRegionScanner open
          ? prepare(open, request, options)
          : Outcome.NOT_FOR_US;
    }
    HRegion region = region(server, request.getRegion());
    return region == null ? Outcome.NOT_FOR_US : prepare(region, request, options);
  }

  /** Prepares a new scanner. */
  static Outcome prepare(HRegion region, ClientProtos.ScanRequest request, InlineOptions options) {
    return prepare(
        region,
        request,
        read ->
            read.open(
                () -> InlineScan.of(request.getScan(), region),
                InlineScan.rows(request),
                bounds(options.maxScanCells(), options.maxScanBytes())));
  }

  /** Prepares an open scanner. */
  static Outcome prepare(
      LeanRegionScanner open, ClientProtos.ScanRequest request, InlineOptions options) {
    return prepare(
        open.region(),
        request,
        read ->
            outcome(
                open.prepare(
                    InlineScan.rows(request),
                    bounds(options.maxScanCells(), options.maxScanBytes()))));
  }

  private static Outcome prepare(
      HRegion region, ClientProtos.ScanRequest request, Reading reading) {
    return !(region instanceof LeanRegion lean)
        ? Outcome.NOT_FOR_US
        : new InlineRead(region)
            .from(
                lean.scanFastPath().inlineScans(),
                read -> {
                  InlineScan.count(request);
                  return reading.of(read);
                });
  }

  private static Bounds bounds(int cells, int bytes) {
    return new Bounds(cells, bytes, MAX_BLOCK_BYTES, MAX_MILLIS);
  }

  private static HRegion region(HRegionServer server, RegionSpecifier region) {
    try {
      return server.getRegion(region.getValue().toByteArray());
    } catch (IOException e) {
      // HBase's code reports the error to the client.
      return null;
    }
  }

  /** A read from memory. */
  private interface Reading {
    Outcome of(InlineRead read) throws IOException;
  }

  private Outcome from(InlineAdmission admission, Reading reading) {
    // If a region is closed or its stores are about to change, another thread holds this lock for
    // long.
    if (!admission.admits(region) || !region.lock.readLock().tryLock()) {
      return Outcome.NOT_FOR_US;
    }
    Outcome outcome = Outcome.NOT_FOR_US;
    boolean kept = false;
    try {
      // A region that begins to close from here on waits for the lock.
      outcome = region.isClosed() || region.isClosing() ? Outcome.NOT_FOR_US : fromMemory(reading);
      if (outcome == Outcome.READY) {
        CURRENT.set(this);
        kept = true;
      }
    } finally {
      if (!kept) {
        close();
      }
    }
    admission.ended(outcome);
    return outcome;
  }

  private Outcome fromMemory(Reading reading) {
    Outcome outcome = Outcome.NOT_FOR_US;
    MemoryOnly.begin();
    try {
      outcome = reading.of(this);
    } catch (MemoryOnly.Miss e) {
      outcome = Outcome.NOT_IN_MEMORY;
    } catch (IOException e) {
      // HBase's code gets the same exception and reports it to the client.
      outcome = isMiss(e) ? Outcome.NOT_IN_MEMORY : Outcome.NOT_FOR_US;
    } finally {
      // A filter was answered without its block. A handler serves the request and caches the
      // block.
      if (MemoryOnly.end()) {
        outcome = Outcome.NOT_IN_MEMORY;
      }
    }
    return outcome;
  }

  /** Returns whether a cause is a miss, because HBase wraps the exceptions of a seek. */
  private static boolean isMiss(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotInMemoryException || cause instanceof MemoryOnly.Miss) {
        return true;
      }
    }
    return false;
  }

  /** Makes a scan of a client's request. */
  private interface Request {
    Scan scan() throws IOException;
  }

  private Outcome open(Request request, int rows, Bounds bounds) throws IOException {
    Scan scan;
    try {
      scan = request.scan();
    } catch (RuntimeException e) {
      // The request is wrong, and HBase's code tells the client.
      return Outcome.NOT_FOR_US;
    }
    RegionScannerImpl opened = region.getScanner(scan);
    if (opened instanceof LeanRegionScanner lean) {
      scanner = lean;
      return outcome(lean.prepare(rows, bounds));
    }
    opened.close();
    return Outcome.NOT_FOR_US;
  }

  private static Outcome outcome(Preparation preparation) {
    return switch (preparation) {
      case DONE -> Outcome.READY;
      case REFUSED -> Outcome.NOT_FOR_US;
      case EXCEEDED -> Outcome.EXCEEDED;
      case FAILED -> Outcome.NOT_IN_MEMORY;
    };
  }

  /** Returns the scanner that waits for a region in this thread, once; null if there is none. */
  static LeanRegionScanner take(HRegion region) {
    InlineRead current = CURRENT.get();
    if (current == null || current.region != region || current.scanner == null) {
      return null;
    }
    LeanRegionScanner scanner = current.scanner;
    current.scanner = null;
    scanner.taken();
    return scanner;
  }

  /** Returns whether this thread serves a request that it prepared. It may open no file then. */
  static boolean isServing() {
    return CURRENT.get() != null;
  }

  /** Ends the request that was prepared in this thread. */
  public static void finish() {
    InlineRead current = CURRENT.get();
    CURRENT.remove();
    if (current != null) {
      current.close();
    }
  }

  /** Closes the scanner if HBase has not taken it. HBase closes a scanner that it took. */
  private void close() {
    try {
      if (scanner != null) {
        scanner.close();
      }
    } finally {
      region.lock.readLock().unlock();
    }
  }
}
