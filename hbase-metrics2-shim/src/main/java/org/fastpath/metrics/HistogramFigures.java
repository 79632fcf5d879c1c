package org.fastpath.metrics;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.metrics.MetricDefinition.Kind;

/** The metrics of a histogram: two counters and nine gauges. */
final class HistogramFigures {
  private static final List<Share> SHARES =
      List.of(
          new Share("P50", 0.5),
          new Share("P75", 0.75),
          new Share("P90", 0.9),
          new Share("P95", 0.95),
          new Share("P98", 0.98),
          new Share("P99", 0.99),
          new Share("P999", 0.999));

  private record Share(String label, double share) {}

  private final MetricDefinition count;
  private final MetricDefinition total;
  private final MetricDefinition mean;
  private final MetricDefinition max;
  private final List<MetricDefinition> quantiles;

  /**
   * @param define returns the definition of a name, always the same one
   */
  HistogramFigures(String name, Unit unit, String description, Definer define) {
    String suffix = unit.suffix();
    count = define.of(name + Unit.COUNT.suffix(), description + ": number", Kind.COUNTER);
    total = define.of(name + "Total" + suffix, description + ": sum", Kind.COUNTER);
    mean = define.of(name + "Mean" + suffix, description + ": mean", Kind.GAUGE);
    max = define.of(name + "Max" + suffix, description + ": greatest lately", Kind.GAUGE);
    Function<Share, MetricDefinition> quantile =
        share ->
            define.of(
                name + share.label + suffix,
                description + ": " + share.label + " lately",
                Kind.GAUGE);
    quantiles = SHARES.stream().map(quantile).collect(Collectors.toUnmodifiableList());
  }

  /** Makes or finds definitions. */
  interface Definer {
    MetricDefinition of(String name, String description, Kind kind);
  }

  /** Returns the metrics that a histogram of that name would show. */
  static List<MetricDefinition> of(String name, Unit unit) {
    return new HistogramFigures(name, unit, "", MetricDefinition::new).all();
  }

  /** Returns all definitions. */
  List<MetricDefinition> all() {
    return Stream.concat(Stream.of(count, total, mean, max), quantiles.stream())
        .collect(Collectors.toUnmodifiableList());
  }

  void give(Distribution distribution, RecordSink sink) {
    sink.counter(count, distribution.count());
    sink.counter(total, distribution.total());
    sink.gauge(mean, distribution.mean());
    sink.gauge(max, distribution.max());
    for (int i = 0; i < quantiles.size(); i++) {
      sink.gauge(quantiles.get(i), distribution.quantile(SHARES.get(i).share));
    }
  }
}
