package org.fastpath.bench.engine.report;

import org.fastpath.bench.engine.results.Measurement;

/**
 * A shown measurement. A time per operation over a known number of bytes is shown as GB/s, which is
 * comparable between sizes. Other measurements keep their unit. Low and high are the lowest and the
 * highest round.
 */
record Scale(String unit, boolean higherIsBetter, double value, double low, double high) {
  static Scale of(Measurement measured) {
    String size = measured.params().getOrDefault("size", "");
    if (measured.unit().equals("ns/op") && size.matches("\\d{1,12}")) {
      double bytes = Double.parseDouble(size);
      return new Scale(
          "GB/s", true, bytes / measured.median(), bytes / measured.max(), bytes / measured.min());
    }
    return new Scale(
        measured.unit(),
        measured.better() == Measurement.Better.HIGHER,
        measured.median(),
        measured.min(),
        measured.max());
  }
}
