package org.fastpath.bench.engine;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.fastpath.bench.engine.results.Measurement.Better;
import org.fastpath.bench.engine.results.Results;

/**
 * A figure that experiments tell of what they measured.
 *
 * @param <W> what was measured: a window of time, a piece of work
 * @param name the end of the measurement's name, {@code latency.p99}
 * @param unit in which it is told
 * @param better which direction is good
 * @param value how it follows from what was measured
 */
public record Figure<W>(String name, String unit, Better better, ToDoubleFunction<W> value) {
  /** A figure of which less is better. */
  public static <W> Figure<W> low(String name, String unit, ToDoubleFunction<W> value) {
    return new Figure<>(name, unit, Better.LOWER, value);
  }

  /** A figure of which more is better. */
  public static <W> Figure<W> high(String name, String unit, ToDoubleFunction<W> value) {
    return new Figure<>(name, unit, Better.HIGHER, value);
  }

  /** Its value. */
  public double of(W measured) {
    return value.applyAsDouble(measured);
  }

  /** Adds a round to the results, with a sample for each of what was measured in it. */
  void record(
      Results.Builder results,
      String prefix,
      Map<String, String> params,
      String side,
      List<W> measured) {
    double[] samples = measured.stream().mapToDouble(value).toArray();
    results.round(prefix + name, params, side, unit, samples);
    results.better(prefix + name, better);
  }
}
