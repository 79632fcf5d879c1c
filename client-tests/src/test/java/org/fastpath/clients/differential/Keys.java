package org.fastpath.clients.differential;

import java.util.List;
import java.util.Random;

/**
 * The rows, columns, times and values of a program. They are few, so operations affect the same
 * cells.
 */
final class Keys {
  static final int ROWS = 240;
  private static final List<String> QUALIFIERS =
      List.of(
          "q0", "q1", "q10", "q2", "q3", "q31", "z", "", "aLongQualifierOfManyLetters", "q%00%ff");
  private static final int TIMES = 40;

  private final Random random;
  private final List<String> families;

  Keys(Random random, List<String> families) {
    this.random = random;
    this.families = List.copyOf(families);
  }

  static String row(int number) {
    return String.format("r%03d", number);
  }

  /** Returns a row. Some rows are prefixes of longer ones. */
  String row() {
    String row = row(random.nextInt(ROWS));
    return switch (random.nextInt(12)) {
      case 0 -> row + "%00";
      case 1 -> row + "-and-a-longer-end";
      default -> row;
    };
  }

  String rowPrefix() {
    String row = row(random.nextInt(ROWS));
    return row.substring(0, 1 + random.nextInt(row.length()));
  }

  String family() {
    return families.get(random.nextInt(families.size()));
  }

  String qualifier() {
    return QUALIFIERS.get(random.nextInt(QUALIFIERS.size()));
  }

  String qualifierPrefix() {
    String qualifier = qualifier();
    return qualifier.startsWith("q") && qualifier.length() < 4
        ? qualifier.substring(0, 1 + random.nextInt(qualifier.length()))
        : qualifier;
  }

  /** Returns a column as family and qualifier. */
  String column() {
    return family() + ":" + qualifier();
  }

  /** Returns a time of a cell, old or recent. */
  int time() {
    int number = 1 + random.nextInt(TIMES);
    return random.nextInt(4) == 0 ? number : Times.RECENT + number;
  }

  /** Returns a value of at most the given number of bytes. */
  String value(int longest) {
    return 1 + random.nextInt(30) + "x" + random.nextInt(longest + 1);
  }
}
