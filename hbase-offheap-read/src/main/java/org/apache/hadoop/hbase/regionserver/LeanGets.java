package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.fastpath.offheap.reader.ReaderMetrics;

/**
 * Answers gets of a region without HBase's scanners, which cost more than the read of a small
 * cached row. {@link RowRead} reads rows that need no merge. HBase answers all other gets.
 *
 * <p>A get qualifies if it names its families, which HBase adds before. It has no filter, no time
 * range and no limit per family, and does not ask for metrics. Each of its families must be a
 * {@link LeanStore}. HBase counts such a get and checks it before and after, as any other.
 *
 * <p>Thread-safe.
 */
final class LeanGets {
  /** The attribute of a raw scan, which HBase also takes from a get. */
  private static final String RAW = "_raw_";

  /** A row that needs HBase after all is looked for twice. */
  private static final int COST_OF_HANDING_OVER = 4;

  /** A row that a file does not have costs a block, which may have to be read from disk. */
  private static final int COST_OF_ABSENT_ROW = 64;

  private final HRegion region;
  private final Tries tries = new Tries(COST_OF_HANDING_OVER);

  /** Reads of the only file in question; those that find nothing are failures. */
  private final Tries unfiltered = new Tries(COST_OF_ABSENT_ROW);

  LeanGets(HRegion region) {
    this.region = region;
  }

  /**
   * Reads the row of a get.
   *
   * @param results receives the cells, which are on the heap
   * @return false if HBase must answer the get; then {@code results} is unchanged
   */
  boolean read(Get get, List<Cell> results) throws IOException {
    if (!qualifies(get) || !tries.isDue()) {
      return false;
    }
    region.checkInterrupt();
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    if (isClientGone(call)) {
      return false;
    }
    RowRead row = new RowRead(region, get, unfiltered);
    boolean read = false;
    region.startRegionOperation(Operation.SCAN);
    try {
      read = row.read();
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException | LinkageError e) {
      // HBase finds the same problem and reports it to the client.
      ReaderMetrics.leanGetFailed(region.getRegionInfo().getRegionNameAsString(), e);
    } finally {
      region.closeRegionOperation(Operation.SCAN);
      tries.ended(read);
    }
    if (read) {
      results.addAll(row.cells());
      count(row, call);
    }
    return read;
  }

  /** Returns whether a call's client has closed its connection. HBase throws then. */
  static boolean isClientGone(Optional<RpcCall> call) {
    return call.isPresent() && call.get().disconnectSince() >= 0;
  }

  private static boolean qualifies(Get get) {
    return !InlineRead.isServing()
        && get.hasFamilies()
        && get.getFilter() == null
        && get.getTimeRange().isAllTime()
        && get.getColumnFamilyTimeRange().isEmpty()
        && get.getMaxResultsPerColumnFamily() < 0
        && get.getRowOffsetPerColumnFamily() == 0
        && get.getAttribute(RAW) == null
        && !get.isQueryMetricsEnabled();
  }

  /** Counts like scanners of HBase. */
  private void count(RowRead row, Optional<RpcCall> call) {
    ReaderMetrics.leanGet();
    row.countStores();
    call.ifPresent(current -> current.incrementBlockBytesScanned(row.blockBytes()));
    region.addReadRequestsCount(1);
    if (region.getMetrics() != null) {
      region.getMetrics().updateReadRequestCount();
    }
  }
}
