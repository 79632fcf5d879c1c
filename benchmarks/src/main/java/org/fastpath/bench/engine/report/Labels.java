package org.fastpath.bench.engine.report;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.results.Measurement;

/** Returns the names of measurements and parameters for the report. */
final class Labels {
  private static final Pattern JMH = Pattern.compile("^(?:\\w+\\.)*(\\w+)Benchmark\\.(\\w+)$");
  private static final Set<String> IN_BYTES = Set.of("size", "chunk");

  private Labels() {}

  /** Returns {@code DataChecksum.verify} for a JMH benchmark, and other names unchanged. */
  static String title(String name) {
    return JMH.matcher(name).replaceFirst("$1.$2");
  }

  /** Returns the class alone, for a rival's column. */
  static String rival(String name) {
    return JMH.matcher(name).replaceFirst("$1");
  }

  static String value(String param, String value) {
    return IN_BYTES.contains(param) && value.matches("\\d{1,12}")
        ? Numbers.bytes(Long.parseLong(value))
        : value;
  }

  /** Returns the parameters in one line. A plain number is shown with its parameter's name. */
  static String line(Map<String, String> params) {
    return params.entrySet().stream()
        .filter(param -> !param.getKey().equals(Measurement.START))
        .map(param -> named(param.getKey(), param.getValue()))
        .collect(Collectors.joining(" · "));
  }

  private static String named(String param, String value) {
    return value.matches("[\\d.]+") ? param + " " + value(param, value) : value;
  }
}
