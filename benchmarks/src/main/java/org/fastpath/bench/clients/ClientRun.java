package org.fastpath.bench.clients;

import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * A finished run of a client program.
 *
 * @param lines its output
 * @param nanos its duration, including the start of its JVM
 * @param serverCpuNanos CPU time of the RegionServer during the run
 */
record ClientRun(List<String> lines, long nanos, long serverCpuNanos) {
  /**
   * The duration of operations. PerformanceEvaluation has a line for each client: "Finished class
   * ... in 123ms over 1000 rows". YCSB has one line.
   */
  private static final Pattern MILLIS =
      Pattern.compile("(?:Finished .* in |\\[OVERALL\\], RunTime\\(ms\\), )(\\d+)(?:ms over|$)");

  /** Returns the duration of the operations in seconds: that of the slowest client. */
  OptionalDouble seconds() {
    return numbers(MILLIS).map(millis -> millis / 1e3).max();
  }

  /** Returns the mean of a number, the pattern's only group, over the lines that have it. */
  OptionalDouble mean(String pattern) {
    return numbers(Pattern.compile(pattern)).average();
  }

  private DoubleStream numbers(Pattern pattern) {
    return lines.stream()
        .map(pattern::matcher)
        .filter(Matcher::find)
        .mapToDouble(match -> Double.parseDouble(match.group(1)));
  }
}
