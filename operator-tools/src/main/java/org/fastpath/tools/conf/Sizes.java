package org.fastpath.tools.conf;

import java.util.Locale;
import java.util.OptionalLong;

/** Reads and prints sizes in bytes, such as {@code 16g}. */
public final class Sizes {
  private static final String SUFFIXES = "kmgt";
  private static final int STEP_BITS = 10;

  private Sizes() {}

  /**
   * Returns the bytes of a size with an optional suffix k, m, g or t; empty if the text is no size.
   */
  public static OptionalLong parse(String text) {
    String size = text.trim().toLowerCase(Locale.ROOT);
    int unit = size.isEmpty() ? -1 : SUFFIXES.indexOf(size.charAt(size.length() - 1));
    String digits = unit < 0 ? size : size.substring(0, size.length() - 1);
    try {
      long factor = 1L << STEP_BITS * (unit + 1);
      return OptionalLong.of(Math.multiplyExact(Long.parseLong(digits), factor));
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns the shortest exact text of a number of bytes: {@code 16g}, {@code 1536m}, {@code 100}.
   */
  public static String format(long bytes) {
    for (int unit = SUFFIXES.length(); unit > 0; unit--) {
      long step = 1L << STEP_BITS * unit;
      if (bytes >= step && bytes % step == 0) {
        return bytes / step + SUFFIXES.substring(unit - 1, unit);
      }
    }
    return Long.toString(bytes);
  }
}
