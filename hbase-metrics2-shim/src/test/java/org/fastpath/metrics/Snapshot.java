package org.fastpath.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A snapshot of a source: a map of names and values per record. */
final class Snapshot implements RecordSink {
  private final List<Map<String, Object>> records = new ArrayList<>();

  private Snapshot() {}

  static List<Map<String, Object>> of(PublishedSource source) {
    Snapshot snapshot = new Snapshot();
    source.snapshot(snapshot);
    return snapshot.records;
  }

  @Override
  public void record(List<String> tags, List<String> values) {
    records.add(new LinkedHashMap<>());
    for (int i = 0; i < tags.size(); i++) {
      put(tags.get(i), values.get(i));
    }
  }

  @Override
  public void counter(MetricDefinition definition, long value) {
    put(definition.name(), value);
  }

  @Override
  public void gauge(MetricDefinition definition, long value) {
    put(definition.name(), value);
  }

  @Override
  public void text(MetricDefinition definition, String value) {
    put(definition.name(), value);
  }

  private void put(String name, Object value) {
    if (records.get(records.size() - 1).put(name, value) != null) {
      throw new AssertionError(name + " twice in a record");
    }
  }
}
