package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.Optional;

/**
 * Multi-gets by Zipf's law by a few clients through the block cache, beside a scan of the table,
 * for a moment: what {@link BlockCacheLiveExperiment} does at length.
 *
 * @param rowsPerSecond what the clients got
 * @param cpuMicrosPerRow what the RegionServer used for it, the scan included
 * @param hitPercent the part of the gets that found their block in the cache
 */
public record CachedMix(double rowsPerSecond, double cpuMicrosPerRow, double hitPercent) {
  private static final double EXPONENT = 0.99;
  private static final int BATCH = 20;
  private static final int THREADS = 4;
  private static final double SCANNED_PER_ROW = 0.5;
  private static final long SEED = 2015;

  /** Reads for a while that is not counted, and then for one that is. */
  public static CachedMix measure(
      Testbed testbed, DataTable table, DataTable.Shape shape, int fillMillis, int millis)
      throws IOException {
    RequestLoad.Request gets = new ZipfRequests(shape, EXPONENT).multiGet(BATCH);
    RequestLoad clients = new RequestLoad(testbed.connection(), table.name(), gets, THREADS, SEED);
    PacedScan paced = new PacedScan(shape, 0, SCANNED_PER_ROW, clients::rows);
    RequestLoad scan = new RequestLoad(testbed.connection(), table.name(), paced, 1, SEED);
    try (LiveLoad load = new LiveLoad(testbed, clients, Optional.of(scan))) {
      load.window(fillMillis);
      ReadWindow window = load.window(millis);
      load.stop();
      return new CachedMix(
          window.rowsPerSecond(), window.cpuMicrosPerRow(), window.pointHitPercent());
    }
  }
}
