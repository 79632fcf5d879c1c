package org.fastpath.bench.workload;

import java.util.function.ToDoubleFunction;

/** What is told of {@link SliceTotals}. */
enum ReaderFigure {
  /** How much the clients got or had the server read. */
  RATE("rate", "rows/s", SliceTotals::rowsPerSecond),
  /** What it cost the RegionServer: rows per second of its CPU time, the other way round. */
  CPU("cpu", "µs/row", SliceTotals::cpuMicrosPerRow),
  /** What it allocated on the heap. */
  ALLOCATION("allocation.row", "B/row", SliceTotals::allocatedBytesPerRow),
  /** Half of the requests took longer. */
  P50("latency.p50", "ms", totals -> totals.latencyMillis(50)),
  /** One in a hundred took longer. */
  P99("latency.p99", "ms", totals -> totals.latencyMillis(99));

  private final String label;
  private final String unit;
  private final ToDoubleFunction<SliceTotals> value;

  ReaderFigure(String label, String unit, ToDoubleFunction<SliceTotals> value) {
    this.label = label;
    this.unit = unit;
    this.value = value;
  }

  /** The name of the measurement; its direction follows from the unit. */
  String name(String prefix) {
    return prefix + "." + label;
  }

  String unit() {
    return unit;
  }

  double of(SliceTotals totals) {
    return value.applyAsDouble(totals);
  }
}
