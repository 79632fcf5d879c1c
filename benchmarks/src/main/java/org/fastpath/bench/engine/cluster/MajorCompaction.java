package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
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
    long before = lastCompaction(regions());
    testbed.admin().majorCompact(table.name());
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!finished(before)) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the compaction of "
                + table.name()
                + " has not ended after "
                + LIMIT.toMinutes()
                + " min");
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  /**
   * Returns whether the compaction has ended. A request is queued with a delay, so a state without
   * compactions may be before the start. Only a new store file proves the end.
   */
  private boolean finished(long before) throws IOException {
    List<RegionMetrics> regions = regions();
    long total = regions.stream().mapToLong(RegionMetrics::getCompactingCellCount).sum();
    long done = regions.stream().mapToLong(RegionMetrics::getCompactedCellCount).sum();
    if (total > 0) {
      listener.rows(done, total);
    }
    return lastCompaction(regions) > before
        && testbed.admin().getCompactionState(table.name()) == CompactionState.NONE;
  }

  /** Returns the creation time of the last major compaction's result; 0 if there was none. */
  private static long lastCompaction(List<RegionMetrics> regions) {
    return regions.stream()
        .mapToLong(RegionMetrics::getLastMajorCompactionTimestamp)
        .min()
        .orElse(0);
  }

  private List<RegionMetrics> regions() throws IOException {
    ServerName server = testbed.admin().getRegionServers().iterator().next();
    return testbed.admin().getRegionMetrics(server, table.name());
  }
}
