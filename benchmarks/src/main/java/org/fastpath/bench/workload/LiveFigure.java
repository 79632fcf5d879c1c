package org.fastpath.bench.workload;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.fastpath.bench.results.Measurement.Better;
import org.fastpath.bench.results.Results;

/** What is told of a {@link ReadWindow}. */
enum LiveFigure {
  /** How much the clients got. */
  RATE("rate", "rows/s", Better.HIGHER, ReadWindow::rowsPerSecond),
  /** What it cost the RegionServer, the scan beside it included. */
  CPU("cpu", "µs/row", Better.LOWER, ReadWindow::cpuMicrosPerRow),
  /** Of all look-ups in the cache. */
  HIT("hit", "%", Better.HIGHER, ReadWindow::hitPercent),
  /** Of the gets' look-ups. */
  POINT_HIT("hit.gets", "%", Better.HIGHER, ReadWindow::pointHitPercent),
  /** As the RegionServer's metrics have it. */
  SHOWN_HIT("hit.shown", "%", Better.HIGHER, ReadWindow::shownHitPercent),
  /** Half of the requests took longer. */
  P50("latency.p50", "ms", Better.LOWER, window -> window.latencyMillis(50)),
  /** One in a hundred took longer. */
  P99("latency.p99", "ms", Better.LOWER, window -> window.latencyMillis(99)),
  /** One in a thousand took longer. */
  P999("latency.p99.9", "ms", Better.LOWER, window -> window.latencyMillis(99.9)),
  /** How often the RegionServer stood still for a garbage collection. */
  COLLECTIONS("gc.pauses", "1/min", Better.LOWER, ReadWindow::collectionsPerMinute),
  /** How long in all. */
  PAUSED("gc.paused", "ms/min", Better.LOWER, ReadWindow::pausedMillisPerMinute),
  /** How long at most. */
  LONGEST_PAUSE("gc.longest", "ms", Better.LOWER, ReadWindow::longestPauseMillis),
  /** What it allocated on the heap, which grows with the rows it serves. */
  ALLOCATION_RATE("allocation", "MB/s", Better.LOWER, ReadWindow::allocatedMegabytesPerSecond),
  /** And for each of them. */
  ALLOCATION("allocation.row", "B/row", Better.LOWER, ReadWindow::allocatedBytesPerRow);

  private static final String PREFIX = "live.";

  private final String label;
  private final String unit;
  private final Better better;
  private final ToDoubleFunction<ReadWindow> value;

  LiveFigure(String label, String unit, Better better, ToDoubleFunction<ReadWindow> value) {
    this.label = label;
    this.unit = unit;
    this.better = better;
    this.value = value;
  }

  /** The name of the measurement. */
  String name(LoadKind kind) {
    return PREFIX + kind.label() + "." + label;
  }

  String unit() {
    return unit;
  }

  double of(ReadWindow window) {
    return value.applyAsDouble(window);
  }

  /** Scans have no gets. */
  private boolean applies(LoadKind kind) {
    return this != POINT_HIT || kind == LoadKind.MULTI_GET;
  }

  /** Adds a round of all of them. */
  static void record(
      Results.Builder results,
      LoadKind kind,
      Map<String, String> params,
      String side,
      ReadWindow window) {
    for (LiveFigure figure : values()) {
      if (figure.applies(kind)) {
        String name = figure.name(kind);
        results.round(name, params, side, figure.unit, figure.of(window));
        results.better(name, figure.better);
      }
    }
  }
}
