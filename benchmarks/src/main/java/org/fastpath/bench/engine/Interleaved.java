package org.fastpath.bench.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Runs sides in a fair order. */
public final class Interleaved {
  private Interleaved() {}

  /** Measures one side once. */
  @FunctionalInterface
  public interface Turn<S> {
    /**
     * Measures the side.
     *
     * @param round from 0
     * @param label for people: "round 2 of 5"
     */
    void measure(S side, int round, String label) throws IOException;
  }

  /** Measures a slice of one side. */
  @FunctionalInterface
  public interface Slice<S, W> {
    /** Measures the slice. All sides of one group do the same work. */
    W measure(S side, int group) throws IOException;
  }

  /** Runs all sides one after another in each round; each round starts with another side. */
  public static <S> void rounds(int rounds, List<S> sides, Turn<S> turn) throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (S side : order(sides, round)) {
        turn.measure(side, round, label(round, rounds));
      }
    }
  }

  /** Returns a label for people: "round 2 of 5". */
  public static String label(int round, int rounds) {
    return "round " + (round + 1) + " of " + rounds;
  }

  /** Returns all sides; each round starts with another one. Rounds are numbered from 0. */
  public static <S> List<S> order(Collection<S> sides, int round) {
    List<S> order = new ArrayList<>(sides);
    Collections.rotate(order, -round);
    return order;
  }

  /**
   * Runs groups of slices. In each group every side has one slice, in random order. So a
   * disturbance that is longer than a group affects all sides.
   *
   * @param groups number of groups
   * @param seed seed of the order
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
