package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.workload.CachedReads;
import org.fastpath.bench.workload.Reads;

/**
 * Gets single rows from the block cache, where latencies per region would show in the CPU time if
 * they cost anything, and then asks the RegionServer for the region's quantiles of these gets.
 */
final class MetricsPart implements DemoPart {
  private static final int ROWS = 1000;
  private static final int GETS = 8000;
  private static final int TIMES = 4;
  private static final int THREADS = 2;
  private static final List<String> QUANTILES =
      List.of(
          "getP50Nanos",
          "getP75Nanos",
          "getP90Nanos",
          "getP95Nanos",
          "getP98Nanos",
          "getP99Nanos",
          "getP999Nanos");

  @Override
  public String title() {
    return "get from cache";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    int rows = Math.min(ROWS, run.shape().rows());
    try (CachedReads reads =
        new CachedReads(run.testbed(), rows, run.shape().valueBytes(), THREADS)) {
      reads.run(Reads.GET, run.table(), rows, 0);
      run.rows(title(), GETS, TIMES, listener -> reads.run(Reads.GET, run.table(), GETS, 1));
    }
    if (run.counts()) {
      quantiles(run);
    }
  }

  private void quantiles(DemoRun run) throws IOException {
    String name = "latency of gets by region: quantiles shown";
    int shown = 0;
    for (String quantile : QUANTILES) {
      Optional<String> value = run.testbed().regionMetric(quantile);
      shown += value.isPresent() ? 1 : 0;
    }
    run.row(name, "", shown);
    run.results().better(name, Measurement.Better.HIGHER);
  }
}
