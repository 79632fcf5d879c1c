package org.fastpath.metrics;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rules for names, checked when something is registered and never later. */
final class MetricNames {
  private static final Pattern CAMEL_CASE = Pattern.compile("[a-z][a-z0-9]*([A-Z][a-z0-9]*)*");
  private static final Pattern SOURCE = Pattern.compile("[A-Z][a-z0-9]*([A-Z][a-z0-9]*)*");

  /** As labels of Prometheus, where two of a name spoil everything that is scraped. */
  private static final Set<String> RESERVED = Set.of("context", "hostname");

  private static final String SUFFIXES =
      Arrays.stream(Unit.values()).map(Unit::suffix).collect(Collectors.joining(", "));

  private MetricNames() {}

  /** Why this is no name for a counter or gauge, or null. */
  static String wrongMetric(String name) {
    if (wrongWord(name) != null) {
      return wrongWord(name);
    }
    for (Unit unit : Unit.values()) {
      if (name.endsWith(unit.suffix())) {
        return null;
      }
    }
    return "its name does not end with its unit: " + SUFFIXES + " are";
  }

  /** Why this is no name for a histogram, a text or a tag, or null. */
  static String wrongWord(String name) {
    if (name == null || !CAMEL_CASE.matcher(name).matches()) {
      return "its name is not in camel case (verifiedBytes)";
    }
    return RESERVED.contains(name) ? "Hadoop has a tag of that name in every record" : null;
  }

  /** Why this is no name for a source, or null. */
  static String wrongSource(String name) {
    return name != null && SOURCE.matcher(name).matches()
        ? null
        : "its name is not in camel case with a capital first (BlockCache)";
  }
}
