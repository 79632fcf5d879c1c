package org.fastpath.metrics;

import java.util.List;

/** Takes a snapshot of a source, record by record. Only one thread calls it at a time. */
public interface RecordSink {
  /**
   * Begins a record: the source's own, or that of a pseudo-source.
   *
   * @param tags the names of the tags; none for the source's own record
   * @param values the values of the tags, as many
   */
  void record(List<String> tags, List<String> values);

  /** Takes a counter of the current record. */
  void counter(MetricDefinition definition, long value);

  /** Takes a gauge of the current record, or a figure of a histogram. */
  void gauge(MetricDefinition definition, long value);

  /** Takes a text of the current record. */
  void text(MetricDefinition definition, String value);
}
