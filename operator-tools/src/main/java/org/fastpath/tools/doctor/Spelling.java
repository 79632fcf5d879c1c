package org.fastpath.tools.doctor;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the intended word of a misspelt one. */
final class Spelling {
  private static final int LEAST = 2;
  private static final int LETTERS_PER_MISTAKE = 6;

  private Spelling() {}

  /** Returns the known word that is most like this one; nothing if none is like it. */
  static Optional<String> nearest(String word, Collection<String> known) {
    int limit = Math.max(LEAST, word.length() / LETTERS_PER_MISTAKE);
    return within(word, known, limit);
  }

  /** Returns the known word that is most like this one, with that many mistakes at most. */
  static Optional<String> within(String word, Collection<String> known, int mistakes) {
    return known.stream()
        .filter(candidate -> Math.abs(candidate.length() - word.length()) <= mistakes)
        .filter(candidate -> distance(word, candidate) <= mistakes)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  /**
   * Returns the number of letters to add, remove, change, or swap with the next one. Case does not
   * count.
   */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int cheapest(int[][] cost, String a, String b, int i, int j) {
    int change = same(a, i, b, j) ? 0 : 1;
    int least = Math.min(cost[i - 1][j - 1] + change, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped = i > 1 && j > 1 && same(a, i, b, j - 1) && same(a, i - 1, b, j);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }

  private static boolean same(String a, int i, String b, int j) {
    return Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
  }
}
