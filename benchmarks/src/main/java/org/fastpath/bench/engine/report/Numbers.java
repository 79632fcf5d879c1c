package org.fastpath.bench.engine.report;

import java.util.Locale;

/** Numbers as people read them: three digits that count. */
public final class Numbers {
  private Numbers() {}

  /** The number alone. */
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

  /** A whole number with separators. */
  public static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** The number and its unit. */
  public static String withUnit(double value, String unit) {
    return unit.equals("%") ? format(value) + " %" : format(value) + " " + unit;
  }

  /** How many times. */
  public static String ratio(double ratio) {
    return Double.isFinite(ratio) ? format(ratio) + "×" : "∞";
  }

  /** Whole multiples of a KiB or MiB as such, anything else in bytes. */
  static String bytes(long bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }
}
