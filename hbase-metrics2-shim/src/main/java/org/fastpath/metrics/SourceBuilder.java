package org.fastpath.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fastpath.metrics.MetricDefinition.Kind;

/**
 * Defines the metrics of a source or pseudo-source and registers it. Not thread-safe.
 *
 * <p>A mistake costs one metric: a name against the rules, a duplicate name, a gauge or description
 * that is null. The mistake is logged as an error at once, is in {@link Metrics#errors()}, and is
 * counted in a metric. The returned object can be updated but is not shown. A mistake never ends a
 * daemon.
 */
public final class SourceBuilder {
  private final String source;
  private final Definitions definitions;
  private final boolean compact;
  private final Function<MetricSet, Registration> register;

  private final Set<String> names = new HashSet<>();
  private final List<MetricSet.CounterEntry> counters = new ArrayList<>();
  private final List<Gauge> gauges = new ArrayList<>();
  private final List<MetricSet.HistogramEntry> histograms = new ArrayList<>();
  private final List<MetricSet.RollUpEntry> rollUps = new ArrayList<>();
  private StripedLongs striped;
  private CompactLongs compactLongs;
  private int used;

  /**
   * @param taken names that no metric may have
   */
  SourceBuilder(
      String source,
      Definitions definitions,
      boolean compact,
      List<String> taken,
      Function<MetricSet, Registration> register) {
    names.addAll(taken);
    this.source = source;
    this.definitions = definitions;
    this.compact = compact;
    this.register = register;
  }

  /** Defines a counter and returns it. Its name ends with its unit. */
  public Counter counter(String name, String description) {
    if (Metrics.off()) {
      return NoOp.COUNTER;
    }
    Counter counter = newCounter();
    if (accept(name, MetricNames.wrongMetric(name), description, Kind.COUNTER)) {
      counters.add(
          new MetricSet.CounterEntry(definitions.of(name, description, Kind.COUNTER), counter));
    }
    return counter;
  }

  /**
   * Defines a counter that is kept elsewhere and read at every snapshot. Its name ends with its
   * unit.
   */
  public void counter(String name, String description, LongSupplier value) {
    number(name, description, Kind.COUNTER, value);
  }

  /**
   * Defines a number that goes up and down and is read at every snapshot. Its name ends with its
   * unit.
   */
  public void gauge(String name, String description, LongSupplier value) {
    number(name, description, Kind.GAUGE, value);
  }

  private void number(String name, String description, Kind kind, LongSupplier value) {
    if (acceptGauge(name, MetricNames.wrongMetric(name), description, kind, value)) {
      gauges.add(Gauge.number(source, definitions.of(name, description, kind), value));
    }
  }

  /** Defines a text that is read at every snapshot and shown as a tag. */
  public void text(String name, String description, Supplier<String> value) {
    if (acceptGauge(name, MetricNames.wrongWord(name), description, Kind.TEXT, value)) {
      gauges.add(Gauge.text(source, definitions.of(name, description, Kind.TEXT), value));
    }
  }

  /** Defines a number that never changes. Its name ends with its unit. */
  public void constant(String name, String description, long value) {
    if (acceptGauge(name, MetricNames.wrongMetric(name), description, Kind.GAUGE, value)) {
      gauges.add(Gauge.constant(source, definitions.of(name, description, Kind.GAUGE), value));
    }
  }

  /** Defines a text that never changes and is shown as a tag. */
  public void constant(String name, String description, String value) {
    if (acceptGauge(name, MetricNames.wrongWord(name), description, Kind.TEXT, value)) {
      gauges.add(Gauge.constant(source, definitions.of(name, description, Kind.TEXT), value));
    }
  }

  /**
   * Defines a histogram and returns it.
   *
   * @param name without the unit: {@code get} of nanoseconds shows getCount, getTotalNanos,
   *     getMeanNanos, getMaxNanos, getP50Nanos, P75, P90, P95, P98, P99 and getP999Nanos
   */
  public Histogram histogram(String name, Unit unit, String description) {
    if (Metrics.off()) {
      return NoOp.HISTOGRAM;
    }
    Distributed histogram =
        compact
            ? new CompactHistogram(newCounter(), newCounter())
            : new StripedHistogram(newCounter(), newCounter());
    if (acceptHistogram(name, unit, description)) {
      HistogramFigures figures = definitions.figures(name, unit, description);
      histograms.add(new MetricSet.HistogramEntry(figures, histogram));
    }
    return histogram;
  }

  /** Defines a histogram that is the sum of others. */
  public void histogram(String name, Unit unit, String description, HistogramRollUp rollUp) {
    if (Metrics.off()) {
      return;
    }
    if (rollUp == null) {
      refuse(name, "its histogram is null");
    } else if (acceptHistogram(name, unit, description)) {
      HistogramFigures figures = definitions.figures(name, unit, description);
      rollUps.add(new MetricSet.RollUpEntry(figures, rollUp));
    }
  }

  /** Shows the source from now on. */
  public Registration register() {
    if (Metrics.off()) {
      return NoOp.REGISTRATION;
    }
    return register.apply(
        new MetricSet(
            List.copyOf(counters),
            List.copyOf(gauges),
            List.copyOf(histograms),
            List.copyOf(rollUps)));
  }

  private Counter newCounter() {
    int width = compact ? CompactLongs.WIDTH : StripedLongs.WIDTH;
    int number = used++ % width;
    if (number == 0 && compact) {
      compactLongs = new CompactLongs();
    } else if (number == 0) {
      striped = new StripedLongs();
    }
    return compact ? compactLongs.counter(number) : striped.counter(number);
  }

  private boolean acceptGauge(
      String name, String wrong, String description, Kind kind, Object value) {
    if (Metrics.off()) {
      return false;
    }
    String problem = wrong == null && value == null ? "its gauge is null" : wrong;
    return accept(name, problem, description, kind);
  }

  private boolean accept(String name, String wrong, String description, Kind kind) {
    String problem = wrong == null ? problem(name, description, kind) : wrong;
    if (problem != null) {
      return refuse(name, problem);
    }
    return names.add(name);
  }

  /** Defines all metrics of a histogram, or none. Returns whether it did. */
  private boolean acceptHistogram(String name, Unit unit, String description) {
    String wrong = unit == null ? "its unit is null" : MetricNames.wrongWord(name);
    if (wrong != null) {
      return refuse(name, wrong);
    }
    List<MetricDefinition> figures = HistogramFigures.of(name, unit);
    for (MetricDefinition figure : figures) {
      String problem = problem(figure.name(), description, figure.kind());
      if (problem != null) {
        return refuse(name, problem);
      }
    }
    figures.forEach(figure -> names.add(figure.name()));
    return true;
  }

  /** Returns why a name in camel case is not available, or null. */
  private String problem(String name, String description, Kind kind) {
    return names.contains(name)
        ? "there is one of the name " + name
        : definitions.wrong(name, description, kind);
  }

  private boolean refuse(String name, String why) {
    Metrics.error("metric " + source + "." + name + " is not shown: " + why);
    return false;
  }
}
