package org.fastpath.clients.differential;

import java.util.List;

/**
 * A client's view of one operation, as lines. Each line starts with its kind: cell, result, cursor,
 * metric, error, done.
 */
record Outcome(List<String> lines) {
  Outcome {
    lines = List.copyOf(lines);
  }

  static Outcome of(String... lines) {
    return new Outcome(List.of(lines));
  }

  /** Returns whether the operation failed. */
  boolean failed() {
    return count("error") > 0;
  }

  /** Returns the number of lines of a kind. */
  long count(String kind) {
    return lines.stream().filter(line -> kind(line).equals(kind)).count();
  }

  static String kind(String line) {
    int blank = line.indexOf(' ');
    return blank < 0 ? line : line.substring(0, blank);
  }
}
