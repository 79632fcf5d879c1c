package org.fastpath.bench.demo;

import java.io.IOException;
import java.util.Locale;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.workload.CachedMix;
import org.fastpath.bench.workload.Console;

/**
 * Gets rows through a block cache that has no room for the table, some rows more often than others,
 * while a scan goes over all of them: a cache that lets the scan drive out what is wanted often
 * finds less of it.
 */
final class BlockCachePart implements DemoPart {
  private static final int FILL_MILLIS = 4000;
  private static final int MEASURED_MILLIS = 6000;

  /** Each of both in the warm-up. */
  private static final int WARM_UP_MILLIS = 1500;

  @Override
  public String title() {
    return "multi-get beside a scan";
  }

  @Override
  public void run(DemoRun run) throws IOException {
    Console.Step step = run.step(title(), "rows");
    int fill = run.counts() ? FILL_MILLIS : WARM_UP_MILLIS;
    int measured = run.counts() ? MEASURED_MILLIS : WARM_UP_MILLIS;
    CachedMix mix = CachedMix.measure(run.testbed(), run.table(), run.shape(), fill, measured);
    run.row(title() + ": rate", "rows/s", mix.rowsPerSecond());
    run.row(title() + ": RegionServer CPU per 1,000 rows", "ms", mix.cpuMicrosPerRow());
    String hits = title() + ": hits in the block cache";
    run.row(hits, "%", mix.hitPercent());
    run.results().better(hits, Measurement.Better.HIGHER);
    step.done(
        String.format(
            Locale.ROOT, "%,.0f rows/s, %.1f %% hits", mix.rowsPerSecond(), mix.hitPercent()));
  }
}
