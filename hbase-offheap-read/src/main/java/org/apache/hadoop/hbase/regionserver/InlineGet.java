package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.fastpath.offheap.inline.InlineOptions;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.NotInMemoryException;

/**
 * The row of a get, read from memory before HBase serves the get in the same thread.
 *
 * <p>HBase's own code then does all that it does for a get: it checks, counts, asks quotas and
 * coprocessors, and opens a scanner on the region. {@link #take} gives it the scanner that has read
 * the row already. So that code does not read a file, and does not wait for the region's lock,
 * which the thread holds until {@link #finish}.
 *
 * <p>For one thread.
 */
public final class InlineGet {
  /** How a get was prepared. */
  public enum Outcome {
    /** The row waits in the thread. */
    READY,
    /** The region, or what is asked for, is left to handlers. */
    NOT_FOR_US,
    /** A block is not in memory. */
    NOT_IN_MEMORY,
    /** The row exceeds a limit. */
    EXCEEDED
  }

  /** The most bytes of blocks that are read for a row, cells that are not returned included. */
  private static final long MAX_BLOCK_BYTES = 4L << 20;

  /** HBase looks at the time once in ten thousand cells. */
  private static final long MAX_MILLIS = 10;

  private static final ThreadLocal<InlineGet> CURRENT = new ThreadLocal<>();

  private final HRegion region;
  private LeanRegionScanner scanner;

  private InlineGet(HRegion region, LeanRegionScanner scanner) {
    this.region = region;
    this.scanner = scanner;
  }

  /**
   * Reads the row of a get, in the thread that will serve it.
   *
   * @return {@link Outcome#READY} if the row waits for HBase's code; then {@link #finish} must be
   *     called in this thread
   */
  public static Outcome prepare(
      HRegionServer server, ClientProtos.GetRequest request, RpcCall call, InlineOptions options) {
    HRegion region = region(server, request);
    return region == null ? Outcome.NOT_FOR_US : prepare(region, request.getGet(), call, options);
  }

  static Outcome prepare(
      HRegion region, ClientProtos.Get get, RpcCall call, InlineOptions options) {
    if (get.hasFilter() || get.getClosestRowBefore()) {
      return Outcome.NOT_FOR_US;
    }
    if (!(region instanceof LeanRegion lean) || !lean.leanScans().inline().admits(region)) {
      return Outcome.NOT_FOR_US;
    }
    // A region that is closed, or whose stores are about to change, holds this lock for long.
    if (!region.lock.readLock().tryLock()) {
      return Outcome.NOT_FOR_US;
    }
    Outcome outcome = Outcome.NOT_FOR_US;
    try {
      outcome = tryToRead(region, get, call, options);
    } finally {
      if (outcome != Outcome.READY) {
        region.lock.readLock().unlock();
      }
    }
    lean.leanScans().inline().ended(outcome);
    return outcome;
  }

  private static HRegion region(HRegionServer server, ClientProtos.GetRequest request) {
    try {
      return server.getRegion(request.getRegion().getValue().toByteArray());
    } catch (IOException e) {
      // HBase's code tells the client.
      return null;
    }
  }

  private static Outcome tryToRead(
      HRegion region, ClientProtos.Get get, RpcCall call, InlineOptions options) {
    long scanned = call.getBlockBytesScanned();
    LeanRegionScanner scanner = null;
    Outcome outcome = Outcome.NOT_FOR_US;
    RpcServer.setCurrentCall(call);
    MemoryOnly.begin();
    try {
      scanner = open(region, get);
      outcome = scanner == null ? Outcome.NOT_FOR_US : read(scanner, options);
    } catch (MemoryOnly.Miss e) {
      outcome = Outcome.NOT_IN_MEMORY;
    } catch (IOException e) {
      // HBase's code meets it again, and tells the client.
      outcome = isMiss(e) ? Outcome.NOT_IN_MEMORY : Outcome.NOT_FOR_US;
    } finally {
      if (MemoryOnly.end()) {
        outcome = Outcome.NOT_IN_MEMORY;
      }
      RpcServer.unsetCurrentCall();
      if (outcome != Outcome.READY) {
        // The handler counts them again.
        call.incrementBlockBytesScanned(scanned - call.getBlockBytesScanned());
        if (scanner != null) {
          scanner.close();
        }
      }
    }
    if (outcome == Outcome.READY) {
      CURRENT.set(new InlineGet(region, scanner));
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

  private static LeanRegionScanner open(HRegion region, ClientProtos.Get get) throws IOException {
    Scan scan = new Scan(ProtobufUtil.toGet(get));
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    RegionScannerImpl scanner = region.getScanner(scan);
    if (scanner instanceof LeanRegionScanner lean) {
      return lean;
    }
    scanner.close();
    return null;
  }

  private static Outcome read(LeanRegionScanner scanner, InlineOptions options) throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder()
            .setBatchLimit(options.maxCells() + 1)
            .setSizeLimit(
                LimitScope.BETWEEN_CELLS, options.maxBytes(), Long.MAX_VALUE, MAX_BLOCK_BYTES)
            .setTimeLimit(
                LimitScope.BETWEEN_CELLS, EnvironmentEdgeManager.currentTime() + MAX_MILLIS)
            .build();
    List<Cell> cells = new ArrayList<>();
    // There is no row after that of a get: more means that a limit was reached.
    if (scanner.next(cells, context)) {
      return Outcome.EXCEEDED;
    }
    scanner.prepared(cells);
    return Outcome.READY;
  }

  /** Returns the scanner that waits for a region in this thread, once; null if there is none. */
  static LeanRegionScanner take(HRegion region) {
    InlineGet current = CURRENT.get();
    if (current == null || current.region != region) {
      return null;
    }
    LeanRegionScanner scanner = current.scanner;
    current.scanner = null;
    return scanner;
  }

  /** Ends the get that was prepared in this thread. */
  public static void finish() {
    InlineGet current = CURRENT.get();
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
