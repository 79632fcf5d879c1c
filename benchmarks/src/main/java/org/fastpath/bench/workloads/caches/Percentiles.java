package org.fastpath.bench.workloads.caches;

import org.HdrHistogram.Histogram;
import org.fastpath.bench.engine.Lines;

/** Reports the distribution of times, in microseconds. */
final class Percentiles {
  private static final double[] PERCENTILES = {50, 99, 99.9, 99.99};

  private Percentiles() {}

  static void report(Lines.Sink sink, String name, Histogram times) {
    for (double percentile : PERCENTILES) {
      String label =
          ".p" + (percentile == Math.rint(percentile) ? "" + (long) percentile : "" + percentile);
      sink.figure(name + label, "us", times.getValueAtPercentile(percentile) / 1e3);
    }
    sink.figure(name + ".max", "us", times.getMaxValue() / 1e3);
  }
}
