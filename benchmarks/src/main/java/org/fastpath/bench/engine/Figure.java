package org.fastpath.bench.engine;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.fastpath.bench.engine.results.Measurement.Better;

/**
 * A figure that is computed from a measurement.
 *
 * @param <W> the measurement: a window of time, a piece of work
 * @param name the end of the measurement's name, {@code latency.p99}
 */
public record Figure<W>(String name, String unit, Better better, ToDoubleFunction<W> value) {
  public static <W> Figure<W> low(String name, String unit, ToDoubleFunction<W> value) {
    return new Figure<>(name, unit, Better.LOWER, value);
  }

  public static <W> Figure<W> high(String name, String unit, ToDoubleFunction<W> value) {
    return new Figure<>(name, unit, Better.HIGHER, value);
  }

  @SafeVarargs
  public static <W> List<Figure<W>> all(List<Figure<W>> figures, Figure<W>... more) {
    return Stream.concat(figures.stream(), Stream.of(more)).toList();
  }

  public double of(W measured) {
    return value.applyAsDouble(measured);
  }
}
