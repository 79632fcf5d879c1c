package org.fastpath.metrics;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks names against the rules, once, at registration. */
final class MetricNames {
  private static final Pattern CAMEL_CASE = Pattern.compile("[a-z][a-z0-9]*([A-Z][a-z0-9]*)*");
  private static final Pattern SOURCE = Pattern.compile("[A-Z][a-z0-9]*([A-Z][a-z0-9]*)*");

  /** Labels of Prometheus. Two labels of one name make the whole page unreadable for it. */
  private static final Set<String> RESERVED = Set.of("context", "hostname");

  private static final String SUFFIXES =
      Arrays.stream(Unit.values()).map(Unit::suffix).collect(Collectors.joining(", "));

  private MetricNames() {}

  /** Returns why a counter or gauge cannot have this name, or null. */
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

  /** Returns why a histogram, text or tag cannot have this name, or null. */
  static String wrongWord(String name) {
    if (name == null || !CAMEL_CASE.matcher(name).matches()) {
      return "its name is not in camel case (verifiedBytes)";
    }
    return RESERVED.contains(name) ? "Hadoop has a tag of that name in every record" : null;
  }

  /** Returns why a source cannot have this name, or null. */
  static String wrongSource(String name) {
    return name != null && SOURCE.matcher(name).matches()
        ? null
        : "its name is not in camel case with a capital first (BlockCache)";
  }
}
