package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.fastpath.offheap.reader.ReaderMetrics;

/**
 * Answers gets of a region without HBase's scanners, which cost more than the read of a small
 * cached row. {@link RowRead} reads rows that need no merge. HBase answers all other gets.
 *
 * <p>A get qualifies if it has no filter, no time range and no limit per family, and if it does not
 * ask for metrics. Each of its families must be a {@link LeanStore}. HBase counts such a get and
 * checks it before and after, as any other.
 *
 * <p>Thread-safe.
 */
final class LeanGets {
  private final HRegion region;
  private final Tries tries = new Tries();

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
    List<Cell> cells = new ArrayList<>();
    boolean read = false;
    region.startRegionOperation(Operation.SCAN);
    try {
      read = readAll(get, cells);
    } catch (IOException | RuntimeException e) {
      // HBase finds the same problem and reports it to the client.
      ReaderMetrics.leanGetFailed(region.getRegionInfo().getRegionNameAsString(), e);
    } finally {
      region.closeRegionOperation(Operation.SCAN);
      tries.ended(read);
    }
    if (read) {
      results.addAll(cells);
      count();
    }
    return read;
  }

  private boolean readAll(Get get, List<Cell> cells) throws IOException {
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : get.getFamilyMap().entrySet()) {
      if (!(region.getStore(family.getKey()) instanceof LeanStore store)
          || !new RowRead(store, get, cells).read(family.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean qualifies(Get get) {
    return !InlineRead.isServing()
        && get.getFilter() == null
        && get.getTimeRange().isAllTime()
        && get.getColumnFamilyTimeRange().isEmpty()
        && get.getMaxResultsPerColumnFamily() < 0
        && get.getRowOffsetPerColumnFamily() == 0
        && !QueryMetricsSupport.isAsked(get);
  }

  /** Counts like a scanner of HBase. */
  private void count() {
    ReaderMetrics.leanGet();
    region.addReadRequestsCount(1);
    if (region.getMetrics() != null) {
      region.getMetrics().updateReadRequestCount();
    }
  }
}
