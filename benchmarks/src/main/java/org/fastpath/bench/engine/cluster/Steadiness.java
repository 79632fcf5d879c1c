package org.fastpath.bench.engine.cluster;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;

/** Tells when a percentage that rises while a cache fills is steady. Not thread-safe. */
public final class Steadiness {
  private static final int VALUES = 4;
  private static final double TOLERANCE = 1;

  private final Deque<Double> last = new ArrayDeque<>();

  /** Adds the next value. */
  public void add(double percent) {
    last.addLast(percent);
    if (last.size() > VALUES) {
      last.removeFirst();
    }
  }

  /** Returns whether the last few values differ by at most one percent. */
  public boolean reached() {
    return last.size() == VALUES && Collections.max(last) - Collections.min(last) <= TOLERANCE;
  }
}
