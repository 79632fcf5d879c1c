package org.fastpath.regionserver.page;

import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * The vertical axis of a chart: from 0 to a round number that is not below the greatest value.
 *
 * @param top the greatest value that can be drawn
 * @param label the text of a value
 */
record Scale(double top, DoubleFunction<String> label) {
  private static final double KB = 1024;
  private static final double[] STEPS = {1, 2, 2.5, 5, 10};

  static Scale percent() {
    return new Scale(100, value -> String.format(Locale.ROOT, "%.0f %%", value));
  }

  /**
   * Returns a scale that ends at 1 KB or above, because quarters of less than 4 bytes have equal
   * labels.
   */
  static Scale bytes(double greatest) {
    double unit = KB;
    while (greatest / unit >= KB) {
      unit *= KB;
    }
    return new Scale(round(Math.max(greatest / unit, 1)) * unit, Html::bytes);
  }

  static Scale count(double greatest, String unit) {
    return new Scale(
        round(Math.max(greatest, 1)),
        value -> String.format(Locale.ROOT, "%.3g", value).replaceAll("\\.?0+$", "") + unit);
  }

  private static double round(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : STEPS) {
      if (step * power >= value) {
        return step * power;
      }
    }
    throw new IllegalArgumentException("no scale for " + value);
  }
}
