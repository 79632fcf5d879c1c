package org.fastpath.cluster;

import java.util.Locale;

/** Reads and writes memory sizes in the form of the JVM's flags. */
final class Sizes {
  private Sizes() {}

  /** Returns the bytes of "512m", "2g", "300000k" or a plain number. */
  static long parse(String size) {
    String text = size.trim().toLowerCase(Locale.ROOT);
    int shift =
        switch (text.isEmpty() ? ' ' : text.charAt(text.length() - 1)) {
          case 'k' -> 10;
          case 'm' -> 20;
          case 'g' -> 30;
          case 't' -> 40;
          default -> 0;
        };
    String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
    try {
      return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + size + "' is not a memory size such as 512m or 2g", e);
    }
  }

  /** Returns a readable size, in MiB or GiB. */
  static String text(long bytes) {
    double gib = bytes / (double) (1L << 30);
    return gib >= 1
        ? String.format(Locale.ROOT, "%.1f GiB", gib)
        : String.format(Locale.ROOT, "%d MiB", bytes >> 20);
  }
}
