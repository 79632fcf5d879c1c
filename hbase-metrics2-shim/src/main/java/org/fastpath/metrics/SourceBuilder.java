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
 * Names the metrics of a source or pseudo-source and registers it. For one thread.
 *
 * <p>A mistake (a name against the rules, a name twice, a gauge or description that is null) is
 * logged as an error at once, is among {@link Metrics#errors()} and in a metric, and costs that
 * metric only: what is returned can be updated but is not shown. A daemon does not end because of a
 * metric.
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

  /** A counter; its name ends with its unit. */
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

  /** A counter that somebody else keeps, asked at every snapshot; its name ends with its unit. */
  public void counter(String name, String description, LongSupplier value) {
    number(name, description, Kind.COUNTER, value);
  }

  /** A number that goes up and down, asked at every snapshot; its name ends with its unit. */
  public void gauge(String name, String description, LongSupplier value) {
    number(name, description, Kind.GAUGE, value);
  }

  private void number(String name, String description, Kind kind, LongSupplier value) {
    if (acceptGauge(name, MetricNames.wrongMetric(name), description, kind, value)) {
      gauges.add(Gauge.number(source, definitions.of(name, description, kind), value));
    }
  }

  /** Words, asked at every snapshot and shown as a tag. */
  public void text(String name, String description, Supplier<String> value) {
    if (acceptGauge(name, MetricNames.wrongWord(name), description, Kind.TEXT, value)) {
      gauges.add(Gauge.text(source, definitions.of(name, description, Kind.TEXT), value));
    }
  }

  /** A number that never changes; its name ends with its unit. It cannot be slow to answer. */
  public void constant(String name, String description, long value) {
    if (acceptGauge(name, MetricNames.wrongMetric(name), description, Kind.GAUGE, value)) {
      gauges.add(Gauge.constant(source, definitions.of(name, description, Kind.GAUGE), value));
    }
  }

  /** Words that never change, shown as a tag. They cannot be slow to answer. */
  public void constant(String name, String description, String value) {
    if (acceptGauge(name, MetricNames.wrongWord(name), description, Kind.TEXT, value)) {
      gauges.add(Gauge.constant(source, definitions.of(name, description, Kind.TEXT), value));
    }
  }

  /**
   * A histogram.
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

  /** The sum of others' histograms, named as one. */
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

  /** All that it shows, or nothing. */
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

  /** Why a name in camel case cannot be had, or null. */
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
