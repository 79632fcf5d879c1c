package org.fastpath.bench.jmh;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses {@code name=value,value}. */
final class Overrides {
  private Overrides() {}

  static Map<String, List<String>> parse(String... assignments) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals <= 0 || equals == assignment.length() - 1) {
        throw new IllegalArgumentException(
            "\"" + assignment + "\" is not of the form name=value or name=value,value");
      }
      values.put(
          assignment.substring(0, equals), List.of(assignment.substring(equals + 1).split(",")));
    }
    return values;
  }
}
