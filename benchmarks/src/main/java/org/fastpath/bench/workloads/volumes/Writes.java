package org.fastpath.bench.workloads.volumes;

import java.util.List;
import java.util.Locale;

/** The writes of a {@link WriteLoad} between two times. Immutable. */
final class Writes {
  private static final double MEGABYTE = 1 << 20;
  private static final double NANOS = 1e9;
  private static final double MEDIAN = 0.50;
  private static final double TAIL = 0.99;

  private final double throughput;

  /** Durations in order. */
  private final double[] millis;

  /**
   * Selects the writes that were at least partly done between two times.
   *
   * @param fileBytes of each
   */
  Writes(long fromNanos, long toNanos, List<WriteLoad.Write> writes, long fileBytes) {
    double files =
        writes.stream().mapToDouble(write -> write.shareBetween(fromNanos, toNanos)).sum();
    throughput = files * fileBytes / MEGABYTE / ((toNanos - fromNanos) / NANOS);
    millis =
        writes.stream()
            .filter(write -> write.overlaps(fromNanos, toNanos))
            .mapToDouble(WriteLoad.Write::millis)
            .sorted()
            .toArray();
  }

  /** Returns megabytes per second; a file that began before or ended after counts in part. */
  double throughput() {
    return throughput;
  }

  /** Returns the median duration of a write. */
  double medianMillis() {
    return quantile(MEDIAN);
  }

  double tailMillis() {
    return quantile(TAIL);
  }

  private double quantile(double share) {
    return millis[(int) Math.min(millis.length - 1, Math.floor(share * millis.length))];
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f MB/s, write p50 %.0f ms, p99 %.0f ms",
        throughput,
        medianMillis(),
        tailMillis());
  }
}
