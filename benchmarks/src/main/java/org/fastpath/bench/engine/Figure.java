package org.fastpath.bench.engine;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.fastpath.bench.engine.results.Measurement.Better;
import org.fastpath.bench.engine.results.Results;

/**
 * A figure that is computed from a measurement.
 *
 * @param <W> the measurement: a window of time, a piece of work
 * @param name the end of the measurement's name, {@code latency.p99}
 * @param unit unit of the figure
 * @param better the direction that is good
 * @param value computes the figure from the measurement
 */
public record Figure<W>(String name, String unit, Better better, ToDoubleFunction<W> value) {
  /** Creates a figure of which less is better. */
  public static <W> Figure<W> low(String name, String unit, ToDoubleFunction<W> value) {
    return new Figure<>(name, unit, Better.LOWER, value);
  }

  /** Creates a figure of which more is better. */
  public static <W> Figure<W> high(String name, String unit, ToDoubleFunction<W> value) {
    return new Figure<>(name, unit, Better.HIGHER, value);
  }

  /** Returns figures and more of them. */
  @SafeVarargs
  public static <W> List<Figure<W>> all(List<Figure<W>> figures, Figure<W>... more) {
    return Stream.concat(figures.stream(), Stream.of(more)).toList();
  }

  /** Returns the value of a measurement. */
  public double of(W measured) {
    return value.applyAsDouble(measured);
  }

  /** Adds a round to the results, with a sample for each measurement of the round. */
  void record(
      Results.Builder results,
      String prefix,
      Map<String, String> params,
      String variant,
      List<W> measured) {
    double[] samples = measured.stream().mapToDouble(value).toArray();
    results.round(prefix + name, params, variant, unit, samples);
    results.better(prefix + name, better);
  }
}
