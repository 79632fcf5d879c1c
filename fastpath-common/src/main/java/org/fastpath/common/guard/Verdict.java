package org.fastpath.common.guard;

import java.util.List;

/**
 * Lists how the code on the classpath differs from the code that a feature relies on.
 *
 * @param missing one phrase for each difference that prevents the feature
 * @param changed one phrase for each method whose code is not verified
 * @param classes number of compared classes
 * @param read number of class files that were read
 * @param nanos duration of the comparison
 */
public record Verdict(
    List<String> missing, List<String> changed, int classes, int read, long nanos) {
  /** Returns whether the code is the verified code. */
  public boolean same() {
    return missing.isEmpty() && changed.isEmpty();
  }

  /** Returns whether the feature can work, verified or not. */
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
