package org.fastpath.bench.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The order in which sides are measured. */
public final class Interleaved {
  private Interleaved() {}

  /** Measures one side once. */
  @FunctionalInterface
  public interface Turn<S> {
    /**
     * Does it.
     *
     * @param round from 0
     * @param label for people: "round 2 of 5"
     */
    void measure(S side, int round, String label) throws IOException;
  }

  /** Measures a slice of one side. */
  @FunctionalInterface
  public interface Slice<S, W> {
    /** Does it; sides of one group do the same work. */
    W measure(S side, int group) throws IOException;
  }

  /** In each round all sides one right after the other, another one first each time. */
  public static <S> void rounds(int rounds, List<S> sides, Turn<S> turn) throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (S side : order(sides, round)) {
        turn.measure(side, round, label(round, rounds));
      }
    }
  }

  /** For people: "round 2 of 5". */
  public static String label(int round, int rounds) {
    return "round " + (round + 1) + " of " + rounds;
  }

  /** All sides, with another one first in each round, which are numbered from 0. */
  public static <S> List<S> order(Collection<S> sides, int round) {
    List<S> order = new ArrayList<>(sides);
    Collections.rotate(order, -round);
    return order;
  }

  /**
   * Groups of slices, in each of which every side has one, in random order: whatever disturbs the
   * machine for longer than a group hits all sides.
   *
   * @param groups how many
   * @param seed of the order
   * @return the slices of each side, in the order of the groups
   */
  public static <S, W> Map<S, List<W>> slices(
      Collection<S> sides, int groups, long seed, Slice<S, W> slice) throws IOException {
    Random random = new Random(seed);
    Map<S, List<W>> measured = new LinkedHashMap<>();
    sides.forEach(side -> measured.put(side, new ArrayList<>()));
    for (int group = 0; group < groups; group++) {
      List<S> order = new ArrayList<>(sides);
      Collections.shuffle(order, random);
      for (S side : order) {
        measured.get(side).add(slice.measure(side, group));
      }
    }
    return measured;
  }
}
