package org.fastpath.bench.engine.report;

import org.fastpath.bench.engine.results.Measurement;

/**
 * A shown measurement. A time per operation over a known number of bytes is shown as GB/s, which is
 * comparable between sizes. Other measurements keep their unit.
 */
record Scale(String unit, double value) {
  static Scale of(Measurement measured) {
    String size = measured.params().getOrDefault("size", "");
    if (measured.unit().equals("ns/op") && size.matches("\\d{1,12}")) {
      return new Scale("GB/s", Double.parseDouble(size) / measured.median());
    }
    return new Scale(measured.unit(), measured.median());
  }
}
