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
 * The rows of a get or of a request of a scan, read from memory before HBase serves the request in
 * the same thread.
 *
 * <p>HBase's own code then does all that it does for a request: it checks, counts, keeps the lease,
 * asks quotas and coprocessors, and opens a scanner on the region. {@link #take} gives it the
 * scanner that has read the rows already. So that code does not read a file, and does not wait for
 * the region's lock, which the thread holds until {@link #finish}.
 *
 * <p>A new scanner whose rows cannot be prepared is closed, and nothing has been counted. Rows of
 * an open scanner stay in it: the thread that serves the request gets them first.
 *
 * <p>For one thread.
 */
public final class InlineRead {
  /** How a request was prepared. */
  public enum Outcome {
    /** The rows wait. */
    READY,
    /** The region, or what is asked for, is left to handlers. */
    NOT_FOR_US,
    /** A block is not in memory. */
    NOT_IN_MEMORY,
    /** The rows exceed a bound. */
    EXCEEDED
  }

  /** The most bytes of blocks that are read for a request, cells that are skipped included. */
  private static final long MAX_BLOCK_BYTES = 4L << 20;

  private static final long MAX_MILLIS = 10;

  private static final ThreadLocal<InlineRead> CURRENT = new ThreadLocal<>();

  private final HRegion region;

  /** A new one that waits for HBase; else null. */
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
                lean.leanScans().inlineGets(),
                read -> {
                  Scan scan = new Scan(ProtobufUtil.toGet(get));
                  if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
                    scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
                  }
                  return read.open(scan, 1, bounds(options.maxCells(), options.maxBytes()));
                });
  }

  /**
   * Reads the rows of a request of a scan, in the thread that will serve it.
   *
   * @return as for a get
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
    return !(region instanceof LeanRegion lean)
        ? Outcome.NOT_FOR_US
        : new InlineRead(region)
            .from(
                lean.leanScans().inlineScans(),
                read -> {
                  InlineScan.count(request);
                  return read.open(
                      InlineScan.of(request.getScan(), region),
                      InlineScan.rows(request),
                      bounds(options.maxScanCells(), options.maxScanBytes()));
                });
  }

  /** Prepares an open scanner. */
  static Outcome prepare(
      LeanRegionScanner open, ClientProtos.ScanRequest request, InlineOptions options) {
    HRegion region = open.region();
    return !(region instanceof LeanRegion lean)
        ? Outcome.NOT_FOR_US
        : new InlineRead(region)
            .from(
                lean.leanScans().inlineScans(),
                read -> {
                  if (region.isClosed() || region.isClosing()) {
                    return Outcome.NOT_FOR_US;
                  }
                  InlineScan.count(request);
                  return outcome(
                      open.prepare(
                          InlineScan.rows(request),
                          bounds(options.maxScanCells(), options.maxScanBytes())));
                });
  }

  private static Bounds bounds(int cells, int bytes) {
    return new Bounds(cells, bytes, MAX_BLOCK_BYTES, MAX_MILLIS);
  }

  private static HRegion region(HRegionServer server, RegionSpecifier region) {
    try {
      return server.getRegion(region.getValue().toByteArray());
    } catch (IOException e) {
      // HBase's code tells the client.
      return null;
    }
  }

  /** Something that is read from memory. */
  private interface Reading {
    Outcome of(InlineRead read) throws IOException;
  }

  private Outcome from(InlineAdmission admission, Reading reading) {
    // A region that is closed, or whose stores are about to change, holds this lock for long.
    if (!admission.admits(region) || !region.lock.readLock().tryLock()) {
      return Outcome.NOT_FOR_US;
    }
    Outcome outcome = Outcome.NOT_FOR_US;
    try {
      outcome = fromMemory(reading);
    } finally {
      if (outcome == Outcome.READY) {
        CURRENT.set(this);
      } else {
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
      // HBase's code meets it again, and tells the client.
      outcome = isMiss(e) ? Outcome.NOT_IN_MEMORY : Outcome.NOT_FOR_US;
    } finally {
      // A filter that was answered for without its block is left to a handler, which caches it.
      if (MemoryOnly.end()) {
        outcome = Outcome.NOT_IN_MEMORY;
      }
    }
    return outcome;
  }

  /** HBase wraps what a seek throws. */
  private static boolean isMiss(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotInMemoryException || cause instanceof MemoryOnly.Miss) {
        return true;
      }
    }
    return false;
  }

  private Outcome open(Scan scan, int rows, Bounds bounds) throws IOException {
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

  /** Ends the request that was prepared in this thread. */
  public static void finish() {
    InlineRead current = CURRENT.get();
    CURRENT.remove();
    if (current != null) {
      current.close();
    }
  }

  /** Closes the scanner if nobody took it; HBase closes the one that it took. */
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
