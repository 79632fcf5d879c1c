package org.fastpath.common.guard;

import java.util.List;

/**
 * Says how the code on the classpath differs from the code that a feature relies on.
 *
 * @param missing one phrase for each difference that keeps the feature from working at all
 * @param changed one phrase for each method that behaves in a way that was not verified
 * @param classes how many classes were compared
 * @param read how many class files had to be read for it
 * @param nanos how long that took
 */
public record Verdict(
    List<String> missing, List<String> changed, int classes, int read, long nanos) {
  /** Whether the code is what was verified. */
  public boolean same() {
    return missing.isEmpty() && changed.isEmpty();
  }

  /** Whether the feature can work, verified or not. */
  public boolean links() {
    return missing.isEmpty();
  }

  /** Names the first difference; empty if there is none. */
  public String first() {
    if (same()) {
      return "";
    }
    return links() ? changed.get(0) : missing.get(0);
  }

  /** Names the first difference, and how many there are beside it; empty if there is none. */
  public String differences() {
    int more = missing.size() + changed.size() - 1;
    return more <= 0 ? first() : first() + " (and " + more + " more)";
  }
}
