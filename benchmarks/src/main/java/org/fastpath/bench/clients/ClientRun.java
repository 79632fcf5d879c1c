package org.fastpath.bench.clients;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A finished run of a client program.
 *
 * @param lines its output
 * @param nanos its duration, including the start of its JVM
 * @param serverCpuNanos CPU time of the RegionServer during the run
 */
record ClientRun(List<String> lines, long nanos, long serverCpuNanos) {
  /** PerformanceEvaluation's line for each client: "Finished class ... in 123ms over 1000 rows". */
  private static final Pattern FINISHED = Pattern.compile("Finished .* in (\\d+)ms over (\\d+) ");

  /** A line of YCSB. */
  private static final Pattern RUN_TIME = Pattern.compile("\\[OVERALL\\], RunTime\\(ms\\), (\\d+)");

  /** Returns the duration of the operations in seconds: that of the slowest client. */
  OptionalDouble seconds() {
    return lines.stream()
        .flatMap(line -> matches(FINISHED, line).or(() -> matches(RUN_TIME, line)).stream())
        .mapToDouble(match -> Double.parseDouble(match.group(1)) / 1e3)
        .max();
  }

  /**
   * Returns a percentile of latencies in microseconds. PerformanceEvaluation prints one for each
   * client; this is their mean.
   *
   * @param name for example 99th
   */
  OptionalDouble latency(String name) {
    Pattern pattern = Pattern.compile("(?:^|[\\s,])" + Pattern.quote(name) + "\\s*=\\s*([\\d.]+)");
    return lines.stream()
        .flatMap(line -> matches(pattern, line).stream())
        .mapToDouble(match -> Double.parseDouble(match.group(1)))
        .average();
  }

  /**
   * Returns a figure that YCSB prints for a kind of operations.
   *
   * @param kind for example READ
   * @param name for example 99thPercentileLatency(us)
   */
  OptionalDouble ycsb(String kind, String name) {
    String prefix = "[" + kind + "], " + name + ", ";
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(line -> Double.parseDouble(line.substring(prefix.length())))
        .findFirst();
  }

  private static Optional<Matcher> matches(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Optional.of(matcher) : Optional.empty();
  }
}
