package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.WorkDirectory;

/** Rewrites all store files of a table into one, also if there is only one. */
public final class MajorCompaction {
  /** Short compared with a compaction. The two calls cost the server far less than 1 ms. */
  private static final long POLL_MILLIS = 50;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Testbed testbed;
  private final DataTable table;
  private final DataTable.Listener listener;

  /** Prepares a compaction of this table; the listener receives the number of cells. */
  public MajorCompaction(Testbed testbed, DataTable table, DataTable.Listener listener) {
    this.testbed = testbed;
    this.table = table;
    this.listener = listener;
  }

  /** Runs it and returns its cost from the request to the end. */
  public Usage measure() throws IOException {
    return testbed.measure(this::run);
  }

  /**
   * Runs it with a profiler in the RegionServer.
   *
   * @param directory receives NAME.html, a flame graph, and NAME.collapsed, its stacks
   */
  public CollapsedStacks profile(WorkDirectory directory, String name) throws IOException {
    return Profiler.profile(directory, testbed.regionServer(), name, this::run);
  }

  private void run() throws IOException {
    run(testbed.admin(), table.name(), listener);
  }

  /** Runs a compaction of a table whose regions are on one server, and waits for its end. */
  public static void run(Admin admin, TableName table, DataTable.Listener listener)
      throws IOException {
    long before = lastCompaction(regions(admin, table));
    admin.majorCompact(table);
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!finished(admin, table, before, listener)) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the compaction of " + table + " has not ended after " + LIMIT.toMinutes() + " min");
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  /**
   * Returns whether the compaction has ended. A request is queued with a delay, so a state without
   * compactions may be before the start. Only a new store file proves the end.
   */
  private static boolean finished(
      Admin admin, TableName table, long before, DataTable.Listener listener) throws IOException {
    List<RegionMetrics> regions = regions(admin, table);
    long total = regions.stream().mapToLong(RegionMetrics::getCompactingCellCount).sum();
    long done = regions.stream().mapToLong(RegionMetrics::getCompactedCellCount).sum();
    if (total > 0) {
      listener.rows(done, total);
    }
    return lastCompaction(regions) > before
        && admin.getCompactionState(table) == CompactionState.NONE;
  }

  /** Returns the creation time of the last major compaction's result; 0 if there was none. */
  private static long lastCompaction(List<RegionMetrics> regions) {
    return regions.stream()
        .mapToLong(RegionMetrics::getLastMajorCompactionTimestamp)
        .min()
        .orElse(0);
  }

  private static List<RegionMetrics> regions(Admin admin, TableName table) throws IOException {
    ServerName server = admin.getRegionServers().iterator().next();
    return admin.getRegionMetrics(server, table);
  }
}
