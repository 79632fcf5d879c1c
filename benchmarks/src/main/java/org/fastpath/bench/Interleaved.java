package org.fastpath.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The order in which sides are measured. */
public final class Interleaved {
  private Interleaved() {}

  /** Measures one side once. */
  @FunctionalInterface
  public interface Turn<S> {
    /**
     * Does it.
     *
     * @param round for people: "round 2 of 5"
     */
    void measure(S side, String round) throws IOException;
  }

  /** In each round all sides one right after the other, another one first each time. */
  public static <S> void rounds(int rounds, List<S> sides, Turn<S> turn) throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (S side : order(sides, round)) {
        turn.measure(side, "round " + (round + 1) + " of " + rounds);
      }
    }
  }

  /** All sides, with another one first in each round, which are numbered from 0. */
  public static <S> List<S> order(Collection<S> sides, int round) {
    List<S> order = new ArrayList<>(sides);
    Collections.rotate(order, -round);
    return order;
  }
}
