package org.fastpath.bench.engine.report;

import java.util.Locale;
import org.fastpath.bench.engine.results.Comparison;

/** Formats numbers for people: three significant digits. */
public final class Numbers {
  private Numbers() {}

  public static String format(double value) {
    double size = Math.abs(value);
    if (size == 0) {
      return "0";
    }
    if (Double.isInfinite(value)) {
      return "∞";
    }
    return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }

  /** Returns a whole number with separators. */
  public static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  public static String withUnit(double value, String unit) {
    return unit.equals("%") ? format(value) + " %" : format(value) + " " + unit;
  }

  public static String interval(Comparison ratio) {
    return format(ratio.low()) + "–" + format(ratio.high());
  }

  /** Returns a ratio as a multiple. */
  public static String ratio(double ratio) {
    return Double.isFinite(ratio) ? format(ratio) + "×" : "∞";
  }

  /** Returns a round ratio with the digits that it needs. */
  static String multiple(double ratio) {
    return (ratio + "×").replace(".0×", "×");
  }

  /** Returns whole multiples of a KiB or MiB in that unit, other numbers in bytes. */
  static String bytes(long bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }
}
