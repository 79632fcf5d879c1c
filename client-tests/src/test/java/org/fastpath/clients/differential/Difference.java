package org.fastpath.clients.differential;

import java.util.List;
import java.util.Optional;

/**
 * The first operation of a program whose outcomes differ between two clients.
 *
 * @param index the operation's position in the program
 * @param kind kind of the first line that differs
 * @param place the number of equal lines before it, the last ones of them, and the next lines
 */
record Difference(int index, Line line, String kind, String expected, String actual, String place) {
  private static final String NOTHING = "nothing";
  private static final int SHOWN = 4;

  /** Compares two outcomes of one operation. */
  static Optional<Difference> between(int index, Line line, Outcome expected, Outcome actual) {
    List<String> left = expected.lines();
    List<String> right = actual.lines();
    for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
      String one = i < left.size() ? left.get(i) : NOTHING;
      String other = i < right.size() ? right.get(i) : NOTHING;
      if (!one.equals(other)) {
        String place =
            i
                + " equal lines: "
                + lines(left, i - SHOWN, i)
                + "\n  first goes on:  "
                + lines(left, i + 1, i + SHOWN)
                + " of "
                + left.size()
                + "\n  second goes on: "
                + lines(right, i + 1, i + SHOWN)
                + " of "
                + right.size();
        return Optional.of(new Difference(index, line, kind(one, other), one, other, place));
      }
    }
    return Optional.empty();
  }

  private static List<String> lines(List<String> all, int from, int to) {
    int end = Math.min(to, all.size());
    return all.subList(Math.max(0, Math.min(from, end)), end);
  }

  private static String kind(String one, String other) {
    String kind = Outcome.kind(one);
    return kind.equals(NOTHING) || other.startsWith("error") ? Outcome.kind(other) : kind;
  }

  /** Returns whether only counts of a scan differ, and no cell. */
  boolean isOfCounts() {
    return kind.equals("metric");
  }

  /** Returns whether this probably shows the same fault, as far as the lines tell. */
  boolean resembles(Difference other) {
    return line.verb().equals(other.line.verb()) && kind.equals(other.kind);
  }

  @Override
  public String toString() {
    return "operation "
        + index
        + ": "
        + line
        + "\n  first:  "
        + expected
        + "\n  second: "
        + actual
        + "\n  after "
        + place;
  }
}
