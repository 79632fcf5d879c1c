package org.fastpath.bench.engine.published;

import org.fastpath.bench.engine.report.Numbers;

/**
 * A figure that a story published.
 *
 * @param id its name, unique within the story
 * @param value the number; null for a figure in words
 * @param text the words; null for a number
 */
public record Figure(String id, String what, Double value, String text, String unit) {

  String shown() {
    return value == null ? text : number(value) + (unit.isEmpty() ? "" : " " + unit);
  }

  /** Keeps the digits of the story up to four decimals. */
  private static String number(double value) {
    String digits = String.valueOf(value);
    boolean whole = value == Math.rint(value);
    return whole || digits.contains("E") ? Numbers.whole(value) : trimmed(value);
  }

  private static String trimmed(double value) {
    return String.format(java.util.Locale.ROOT, "%,.4f", value).replaceAll("0+$", "");
  }
}
