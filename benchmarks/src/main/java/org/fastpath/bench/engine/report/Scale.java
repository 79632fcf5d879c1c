package org.fastpath.bench.engine.report;

import java.util.function.DoubleUnaryOperator;
import org.fastpath.bench.engine.results.Measurement;

/**
 * The unit of a shown measurement. A time per operation over a known number of bytes is shown as
 * GB/s, which is comparable between sizes. Other measurements keep their unit.
 */
record Scale(String unit, boolean higherIsBetter, DoubleUnaryOperator convert) {

  /** A value and the range of its rounds, converted. */
  record Shown(double value, double low, double high) {}

  static Scale of(Measurement measurement) {
    String size = measurement.params().getOrDefault("size", "");
    if (measurement.unit().equals("ns/op") && size.matches("\\d{1,12}")) {
      double bytes = Double.parseDouble(size);
      return new Scale("GB/s", true, nanos -> bytes / nanos);
    }
    return new Scale(
        measurement.unit(),
        measurement.better() == Measurement.Better.HIGHER,
        DoubleUnaryOperator.identity());
  }

  static Shown shown(Measurement measurement) {
    DoubleUnaryOperator convert = of(measurement).convert();
    double a = convert.applyAsDouble(measurement.min());
    double b = convert.applyAsDouble(measurement.max());
    double middle = convert.applyAsDouble(measurement.median());
    return new Shown(middle, Math.min(a, b), Math.max(a, b));
  }
}
