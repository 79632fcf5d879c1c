package org.fastpath.metrics.region;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fastpath.metrics.MetricDefinition;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.PublishedSource;
import org.fastpath.metrics.RecordSink;

/** A snapshot of a source: the metrics of each record by the last of its tags. */
final class Records implements RecordSink {
  private final Map<String, Map<String, Long>> records = new LinkedHashMap<>();
  private Map<String, Long> current;

  private Records() {}

  static Map<String, Map<String, Long>> of(PublishedSource source) {
    Records records = new Records();
    source.snapshot(records);
    return records.records;
  }

  /** Of the source of that name. */
  static Map<String, Map<String, Long>> of(String source) {
    return of(
        Metrics.sources().stream()
            .filter(candidate -> candidate.name().equals(source))
            .findFirst()
            .orElseThrow());
  }

  @Override
  public void record(List<String> tags, List<String> values) {
    current = new HashMap<>();
    records.put(values.isEmpty() ? "" : values.get(values.size() - 1), current);
  }

  @Override
  public void counter(MetricDefinition definition, long value) {
    current.put(definition.name(), value);
  }

  @Override
  public void gauge(MetricDefinition definition, long value) {
    current.put(definition.name(), value);
  }

  @Override
  public void text(MetricDefinition definition, String value) {}
}
