package org.fastpath.bench.docs;

import java.util.Map;
import java.util.TreeMap;

/**
 * A time series of Prometheus.
 *
 * @param name of the metric
 * @param labels without the name
 */
record Series(String name, Map<String, String> labels) {
  /** Returns the value of a label; a missing label is empty. */
  String label(String label) {
    return label.equals(LabelMatcher.NAME) ? name : labels.getOrDefault(label, "");
  }

  /** Returns the series with the labels that Prometheus adds to all series of one target. */
  Series with(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(labels);
    all.putAll(more);
    return new Series(name, all);
  }
}
