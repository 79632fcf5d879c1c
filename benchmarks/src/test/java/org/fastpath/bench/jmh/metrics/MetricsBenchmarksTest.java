package org.fastpath.bench.jmh.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;
import org.fastpath.metrics.Metrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Every implementation runs briefly, with two threads if it supports threads. The set-ups check
 * that it counts.
 */
class MetricsBenchmarksTest {
  private static final int MILLIS = 5;
  private static final int THREADS = 2;

  private static Stream<String> values(Class<?> benchmark, String param) {
    try {
      return Arrays.stream(benchmark.getField(param).getAnnotation(Param.class).value());
    } catch (NoSuchFieldException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Stream<String> counters() {
    return values(CounterBenchmark.class, "counter");
  }

  private static Stream<String> histograms() {
    return values(HistogramBenchmark.class, "histogram");
  }

  private static Stream<String> sources() {
    return values(SnapshotBenchmark.class, "source");
  }

  private static void run(Class<?> benchmark, Map<String, String> params, int threads)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmark.getName() + "\\.")
            .forks(0)
            .threads(threads)
            .warmupIterations(1)
            .measurementIterations(1)
            .warmupTime(TimeValue.milliseconds(MILLIS))
            .measurementTime(TimeValue.milliseconds(MILLIS))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    params.forEach(options::param);

    Collection<RunResult> results = new Runner(options.build()).run();

    assertThat(results)
        .hasSize(1)
        .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
    assertThat(Metrics.errors()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("counters")
  void countersCount(String counter) throws RunnerException {
    run(CounterBenchmark.class, Map.of("counter", counter, "threads", "2"), THREADS);
  }

  @ParameterizedTest
  @MethodSource("histograms")
  void histogramsCount(String histogram) throws RunnerException {
    run(HistogramBenchmark.class, Map.of("histogram", histogram, "threads", "2"), THREADS);
  }

  @ParameterizedTest
  @MethodSource("sources")
  void snapshotsShowAllRegions(String source) throws RunnerException {
    run(SnapshotBenchmark.class, Map.of("source", source, "regions", "10"), 1);
  }

  @Test
  void latenciesAreSkewed() {
    long[] values = HistogramBenchmark.skewed();
    Arrays.sort(values);

    assertThat(values[0]).isPositive();
    assertThat(values[values.length - 1]).isGreaterThan(5 * values[values.length / 2]);
  }

  @Test
  void whatIsUnknownIsRefused() {
    CounterBenchmark benchmark = new CounterBenchmark();
    benchmark.counter = "abacus";

    assertThatThrownBy(benchmark::setUp)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("abacus");
  }
}
