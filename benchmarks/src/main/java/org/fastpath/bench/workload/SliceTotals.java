package org.fastpath.bench.workload;

import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.results.Results;

/** The slices of one side in one round, added up. Not thread-safe. */
final class SliceTotals {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final int DIGITS = 2;

  private final Histogram latencies = new Histogram(DIGITS);
  private long nanos;
  private long rows;
  private long cpuNanos;
  private double allocatedBytes;

  void add(Slice slice) {
    nanos += slice.nanos();
    rows += slice.rows();
    cpuNanos += slice.cpuNanos();
    allocatedBytes += slice.allocatedBytes();
    latencies.add(slice.latencies());
  }

  void add(SliceTotals other) {
    nanos += other.nanos;
    rows += other.rows;
    cpuNanos += other.cpuNanos;
    allocatedBytes += other.allocatedBytes;
    latencies.add(other.latencies);
  }

  double rowsPerSecond() {
    return rows * NANOS_PER_SECOND / nanos;
  }

  double cpuMicrosPerRow() {
    return cpuNanos / NANOS_PER_MICRO / rows;
  }

  double allocatedBytesPerRow() {
    return allocatedBytes / rows;
  }

  double latencyMillis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  /** Adds a round of everything to the results, under names that begin with this one. */
  void record(Results.Builder results, String name, Map<String, String> params, String side) {
    for (ReaderFigure figure : ReaderFigure.values()) {
      results.round(figure.name(name), params, side, figure.unit(), figure.of(this));
    }
  }

  /** One line for a person. */
  String summary() {
    return String.format(
        Locale.ROOT,
        "%,.0f rows/s, %.2f µs/row, %,.0f B/row, p99 %.1f ms",
        rowsPerSecond(),
        cpuMicrosPerRow(),
        allocatedBytesPerRow(),
        latencyMillis(99));
  }
}
