package org.fastpath.bench.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;

/** Rewrites all store files of a table into one and waits for the end. */
public final class MajorCompaction {
  /** Short beside any compaction worth measuring; the two calls cost the server well under 1 ms. */
  private static final long POLL_MILLIS = 50;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Admin admin;
  private final TableName table;

  private MajorCompaction(Admin admin, TableName table) {
    this.admin = admin;
    this.table = table;
  }

  /** From the request to the end; the listener hears of cells. */
  public static void run(Testbed testbed, DataTable table, DataTable.Listener listener)
      throws IOException {
    MajorCompaction compaction = new MajorCompaction(testbed.admin(), table.name());
    compaction.admin.majorCompact(table.name());
    compaction.await(listener);
  }

  private void await(DataTable.Listener listener) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!finished(listener)) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the compaction of " + table + " has not ended after " + LIMIT.toMinutes() + " min");
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a compaction ran");
      }
    }
  }

  /**
   * A request is queued a moment after it was made, so that no compaction at all may mean that none
   * has begun: only a single store file means that it has ended.
   */
  private boolean finished(DataTable.Listener listener) throws IOException {
    List<RegionMetrics> regions = regions();
    long total = regions.stream().mapToLong(RegionMetrics::getCompactingCellCount).sum();
    long done = regions.stream().mapToLong(RegionMetrics::getCompactedCellCount).sum();
    if (total > 0) {
      listener.rows(done, total);
    }
    return regions.stream().allMatch(region -> region.getStoreFileCount() == 1)
        && admin.getCompactionState(table) == CompactionState.NONE;
  }

  private List<RegionMetrics> regions() throws IOException {
    ServerName server = admin.getRegionServers().iterator().next();
    return admin.getRegionMetrics(server, table);
  }
}
