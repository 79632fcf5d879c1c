package org.fastpath.bench.docs;

import java.util.Map;
import java.util.TreeMap;

/**
 * A time series as Prometheus sees it.
 *
 * @param name of the metric
 * @param labels without the name
 */
record Series(String name, Map<String, String> labels) {
  /** The value of a label; a label that is not there is an empty one. */
  String label(String label) {
    return label.equals(LabelMatcher.NAME) ? name : labels.getOrDefault(label, "");
  }

  /** With labels that Prometheus adds to all that it fetches from one place. */
  Series with(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(labels);
    all.putAll(more);
    return new Series(name, all);
  }
}
