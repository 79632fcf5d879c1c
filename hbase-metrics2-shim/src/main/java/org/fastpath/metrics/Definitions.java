package org.fastpath.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.fastpath.metrics.MetricDefinition.Kind;

/** The definitions of a source, shared by all its pseudo-sources. */
final class Definitions {
  private final Map<String, MetricDefinition> byName = new ConcurrentHashMap<>();
  private final Map<String, HistogramFigures> figures = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<MetricDefinition> inOrder = new ConcurrentLinkedQueue<>();

  MetricDefinition of(String name, String description, Kind kind) {
    return byName.computeIfAbsent(
        name,
        key -> {
          MetricDefinition definition = new MetricDefinition(key, description, kind);
          inOrder.add(definition);
          return definition;
        });
  }

  /** Returns why this cannot be defined, or null. All pseudo-sources must define a metric alike. */
  String wrong(String name, String description, Kind kind) {
    if (description == null) {
      return "it has no description";
    }
    MetricDefinition known = byName.get(name);
    return known == null || known.kind() == kind
        ? null
        : "it is a " + known.kind() + " in another pseudo-source";
  }

  HistogramFigures figures(String name, Unit unit, String description) {
    String key = name + unit.suffix();
    HistogramFigures known = figures.get(key);
    if (known == null) {
      HistogramFigures fresh = new HistogramFigures(name, unit, description, this::of);
      HistogramFigures other = figures.putIfAbsent(key, fresh);
      known = other == null ? fresh : other;
    }
    return known;
  }

  List<MetricDefinition> inOrder() {
    return List.copyOf(inOrder);
  }
}
