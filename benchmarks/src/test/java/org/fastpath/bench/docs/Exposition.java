package org.fastpath.bench.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses Prometheus' text format, as far as HBase and Hadoop write it. */
final class Exposition {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL = "([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\.)*)\"";
  private static final Pattern ONE_LABEL = Pattern.compile(LABEL);
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(" + NAME + ")(?:\\{((?:" + LABEL + ",?)*)\\})? (\\S+)(?: \\d+)?".replace(" ", "\\s+"));
  private static final int LABELS_GROUP = 2;
  private static final int VALUE_GROUP = 5;

  private Exposition() {}

  /**
   * Returns the series of a page.
   *
   * @throws IllegalArgumentException naming the first invalid line
   */
  static List<Series> parse(String text) {
    List<Series> series = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!line.isBlank() && !line.startsWith("#")) {
        series.add(sample(line));
      }
    }
    return series;
  }

  private static Series sample(String line) {
    Matcher matcher = SAMPLE.matcher(line.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a sample: " + line);
    }
    Double.parseDouble(matcher.group(VALUE_GROUP).replace("+Inf", "Infinity"));
    Map<String, String> labels = new TreeMap<>();
    String list = matcher.group(LABELS_GROUP);
    if (list != null) {
      ONE_LABEL
          .matcher(list)
          .results()
          .forEach(label -> labels.put(label.group(1), label.group(2)));
    }
    return new Series(matcher.group(1), labels);
  }
}
