package org.fastpath.bench.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;

/**
 * Lines of what {@link BlockCacheLiveExperiment} measures: over the number of client threads, and
 * over time. Not thread-safe.
 */
final class LiveCharts {
  private static final double MILLIS = 1e3;
  private static final List<LiveFigure> OVER_THREADS =
      List.of(
          LiveFigure.RATE,
          LiveFigure.CPU,
          LiveFigure.HIT,
          LiveFigure.P99,
          LiveFigure.PAUSED,
          LiveFigure.ALLOCATION);

  private final Map<Key, Line> lines = new LinkedHashMap<>();

  private record Key(String chart, String side, String unit) {}

  private record Line(List<Double> x, List<Double> y) {
    Line() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(double nextX, double nextY) {
      x.add(nextX);
      y.add(nextY);
    }
  }

  private Line line(String chart, String side, String unit) {
    return lines.computeIfAbsent(new Key(chart, side, unit), any -> new Line());
  }

  /** Adds a point of how the cache fills. */
  void warmUp(LoadKind kind, String side, double seconds, double hitPercent) {
    line(kind.label() + ": hit ratio after a restart", side, "%").add(seconds, hitPercent);
  }

  /**
   * Adds the garbage collections of windows that followed one another: how the heap filled and was
   * emptied, and how long the pauses were.
   */
  void collections(LoadKind kind, String side, List<ReadWindow> windows) {
    long begin = windows.get(0).begin().millis();
    Line heap = line(kind.label() + ": heap of the RegionServer in use", side, "MB");
    Line pauses = line(kind.label() + ": pauses for garbage collection", side, "ms");
    for (ReadWindow window : windows) {
      for (GcEvent gc : window.collections()) {
        double end = (gc.millis() - begin) / MILLIS;
        heap.add(end - gc.pauseMillis() / MILLIS, gc.before());
        heap.add(end, gc.after());
        pauses.add(end, gc.pauseMillis());
      }
    }
  }

  /** Adds all lines, those over client threads from what was measured. */
  void addTo(Results.Builder results) {
    for (LoadKind kind : LoadKind.values()) {
      OVER_THREADS.forEach(
          figure ->
              ThreadCharts.lines(results.build(), figure.name(kind), figure.unit(), Map.of())
                  .forEach(results::series));
    }
    lines.forEach(
        (key, line) -> {
          if (!line.x().isEmpty()) {
            results.series(
                new Series(key.chart(), key.side(), "s", key.unit(), line.x(), line.y()));
          }
        });
  }
}
