package org.fastpath.tools.doctor;

import java.util.Comparator;

/** Compares versions such as {@code 0.9.1} and {@code 0.10.0}. */
final class Versions {
  static final Comparator<String> ORDER =
      Comparator.comparing(Versions::padded).thenComparing(Comparator.naturalOrder());

  private static final int DIGITS = 9;

  private Versions() {}

  /**
   * Pads numbers to one length, so that they compare like words. A version without a suffix is the
   * newest.
   */
  private static String padded(String version) {
    StringBuilder padded = new StringBuilder();
    for (String part : version.split("[.-]")) {
      boolean number = part.matches("[0-9]+");
      padded.append(number ? "1" + "0".repeat(Math.max(0, DIGITS - part.length())) : "0");
      padded.append(part).append('.');
    }
    return padded.append('1').toString();
  }
}
