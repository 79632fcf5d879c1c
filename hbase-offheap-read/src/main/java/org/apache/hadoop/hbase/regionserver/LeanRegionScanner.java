package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.PreparingContext.Bounds;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;
import org.fastpath.offheap.reader.MemoryOnly;

/**
 * A forward scan of a region that merges by {@link RegionHeap} and checks the time by {@link
 * ScanLimits}. {@link #prepare} can read rows ahead before HBase asks for them.
 *
 * <p>As thread-safe as its superclass. A thread that prepares never waits for one that reads; it
 * gives up instead. A thread that reads or closes waits for one that prepares.
 */
final class LeanRegionScanner extends RegionScannerImpl {
  /** The current user of the stores' scanners. */
  private enum User {
    /** No request is active: the last answer was sent. */
    NOBODY,
    PREPARATION,
    HBASE
  }

  private final AtomicReference<User> user = new AtomicReference<>(User.NOBODY);
  private final Scan scan;

  /**
   * Whether rows are read ahead. It ends when scanners must be opened again, because a row exceeds
   * a limit or a block is not in memory. That would happen in each request.
   */
  private volatile boolean readAhead;

  /** Whether the last answer ended within a row. Rows are read ahead only from their start. */
  private boolean inRow;

  /**
   * The error of a preparation that may have lost cells, or null. HBase then closes this scanner,
   * and the client opens another one behind its last row.
   */
  private volatile Throwable failure;

  /** The limits of the current request. */
  private ScanLimits limits;

  LeanRegionScanner(
      Scan scan, List<KeyValueScanner> additional, HRegion region, long nonceGroup, long nonce)
      throws IOException {
    super(scan, additional, region, nonceGroup, nonce);
    this.scan = scan;
    readAhead = additional == null && !scan.hasFilter() && scan.getBatch() <= 0;
  }

  @Override
  protected void initializeKVHeap(
      List<KeyValueScanner> essential, List<KeyValueScanner> onDemand, HRegion region)
      throws IOException {
    storeHeap = new RegionHeap(essential, comparator);
    if (!onDemand.isEmpty()) {
      joinedHeap = new RegionHeap(onDemand, comparator);
    }
  }

  HRegion region() {
    return region;
  }

  /** The outcome of a preparation. */
  enum Preparation {
    /** All requested rows wait, or all that exist. */
    DONE,
    /** The scanner is in use, or rows of its kind are not read ahead. */
    REFUSED,
    /** The rows exceed a limit. Those before it wait. */
    EXCEEDED,
    /** A block could not be read. No row waits. */
    FAILED
  }

  /**
   * Reads rows ahead until the given number waits. HBase gets each row once, whatever the outcome.
   * After an unexpected error the next request fails, because cells may be lost.
   */
  Preparation prepare(int rows, Bounds bounds) {
    if (!readAhead || !user.compareAndSet(User.NOBODY, User.PREPARATION)) {
      return Preparation.REFUSED;
    }
    try {
      return !inRow && storeHeap instanceof RegionHeap heap && heap.isWhole()
          ? prepare(heap, rows, new PreparingContext(bounds, StoreReads.begin()))
          : Preparation.REFUSED;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      StoreReads.end();
      user.set(User.NOBODY);
    }
  }

  private Preparation prepare(RegionHeap heap, int rows, PreparingContext context) {
    heap.beginToPrepare(this::scannersFrom);
    try {
      while (heap.preparedRows() < rows && !context.isImmediate()) {
        if (shouldStop(heap.peekToPrepare())) {
          return Preparation.DONE;
        }
        if (!context.hasRoom()) {
          return Preparation.EXCEEDED;
        }
        heap.prepareRow(context);
      }
      return Preparation.DONE;
    } catch (PreparingContext.Exceeded e) {
      return Preparation.EXCEEDED;
    } catch (IOException | MemoryOnly.Miss e) {
      // HBase's code meets the same failure. It then reads the block or reports the failure to
      // the client.
      heap.dropPreparation();
      return Preparation.FAILED;
    } finally {
      heap.endToPrepare();
    }
  }

  /** Passes the counts of the preparation to the request's metrics. */
  void taken() {
    ((RegionHeap) storeHeap).giveMetrics();
  }

  /**
   * Opens scanners of the stores from a row on, at the same read point.
   *
   * @param streams the stores whose scanners read their files as streams. An event loop opens none.
   */
  private List<KeyValueScanner> scannersFrom(byte[] row, Set<HStore> streams) throws IOException {
    readAhead = false;
    Scan rest = new Scan(scan).withStartRow(row, true);
    Scan stream = InlineRead.isServing() ? rest : new Scan(rest).setReadType(Scan.ReadType.STREAM);
    List<KeyValueScanner> scanners = new ArrayList<>();
    boolean opened = false;
    try {
      for (Map.Entry<byte[], NavigableSet<byte[]>> family : rest.getFamilyMap().entrySet()) {
        HStore store = region.getStore(family.getKey());
        scanners.add(
            store.getScanner(
                streams.contains(store) ? stream : rest, family.getValue(), getMvccReadPoint()));
      }
      opened = true;
    } finally {
      if (!opened) {
        scanners.forEach(KeyValueScanner::close);
      }
    }
    return scanners;
  }

  private void awaitUse() {
    while (user.get() != User.HBASE && !user.compareAndSet(User.NOBODY, User.HBASE)) {
      Thread.yield();
    }
  }

  @Override
  public boolean nextRaw(List<Cell> results, ScannerContext context) throws IOException {
    awaitUse();
    if (failure != null) {
      throw new IOException(
          "A scan of the region "
              + region.getRegionInfo().getShortNameToLog()
              + " failed while rows were read ahead; its client opens it again",
          failure);
    }
    boolean more = nextTimed(results, context);
    // A request that is late from the start does not move and sets no state.
    inRow = context.mayHaveMoreCellsInRow() || (inRow && results.isEmpty());
    return more;
  }

  private boolean nextTimed(List<Cell> results, ScannerContext context) throws IOException {
    if (limits == null || !limits.areOf(context)) {
      if (!ScanLimits.apply(context)) {
        return super.nextRaw(results, context);
      }
      limits = new ScanLimits(context);
    }
    limits.begin();
    try {
      return give(results) || super.nextRaw(results, limits);
    } finally {
      limits.end();
    }
  }

  /**
   * Gives a row that was read ahead, if another one follows. HBase would compare both with the end
   * of the scan, and look at each limit three times. It counts the row as HBase does.
   *
   * @return false if HBase must ask for the row; then nothing is changed
   */
  private boolean give(List<Cell> results) throws IOException {
    if (!(storeHeap instanceof RegionHeap heap)
        || joinedHeap != null
        || !results.isEmpty()
        || !limits.getKeepProgress()
        || limits.getSkippingRow()
        || limits.checkTimeLimit(LimitScope.BETWEEN_CELLS)) {
      return false;
    }
    region.checkInterrupt();
    if (LeanGets.isClientGone(RpcServer.getCurrentCall()) || !heap.give(results, limits)) {
      return false;
    }
    limits.setScannerState(NextState.MORE_VALUES);
    if (limits.isTrackingMetrics()) {
      limits
          .getMetrics()
          .addToCounter(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME, 1);
    }
    region.addReadRequestsCount(1);
    if (region.getMetrics() != null) {
      region.getMetrics().updateReadRequestCount();
    }
    return true;
  }

  @Override
  public void shipped() throws IOException {
    awaitUse();
    if (storeHeap != null && joinedContinuationRow != null) {
      // HBase keeps a cell of a block that is released now.
      joinedContinuationRow = KeyValueUtil.toNewKeyCell(joinedContinuationRow);
    }
    super.shipped();
    user.set(User.NOBODY);
  }

  /** Closes the scanner. Later preparations are refused. */
  @Override
  public void close() {
    awaitUse();
    super.close();
  }
}
