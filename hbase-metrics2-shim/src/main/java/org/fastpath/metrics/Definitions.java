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

  HistogramFigures figures(String name, Unit unit, String description) {
    HistogramFigures known = figures.get(name);
    if (known == null) {
      HistogramFigures fresh = new HistogramFigures(name, unit, description, this::of);
      HistogramFigures other = figures.putIfAbsent(name, fresh);
      known = other == null ? fresh : other;
    }
    return known;
  }

  List<MetricDefinition> inOrder() {
    return List.copyOf(inOrder);
  }
}
