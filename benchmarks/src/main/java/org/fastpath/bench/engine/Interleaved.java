package org.fastpath.bench.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/** Runs variants in a fair order, or at once. */
public final class Interleaved {
  private Interleaved() {}

  /** Measures one variant once. */
  @FunctionalInterface
  public interface Work<S> {
    /** Rounds begin with 0; the label is "round 2 of 5". */
    void measure(S variant, int round, String label) throws IOException;
  }

  /** Measures a slice of one variant. All variants of one group do the same work. */
  @FunctionalInterface
  public interface Slice<S, W> {
    W measure(S variant, int group) throws IOException;
  }

  /** Runs all variants one after another in each round; each round starts with another variant. */
  public static <S> void rounds(int rounds, List<S> variants, Work<S> work) throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (S variant : order(variants, round)) {
        work.measure(variant, round, label(round, rounds));
      }
    }
  }

  public static String label(int round, int rounds) {
    return "round " + (round + 1) + " of " + rounds;
  }

  /** Returns all variants; each round starts with another one. Rounds are numbered from 0. */
  public static <S> List<S> order(Collection<S> variants, int round) {
    List<S> order = new ArrayList<>(variants);
    Collections.rotate(order, -round);
    return order;
  }

  /**
   * Runs groups of slices. In each group every variant has one slice, in random order. So a
   * disturbance that is longer than a group affects all variants.
   */
  public static <S, W> Map<S, List<W>> slices(
      Collection<S> variants, int groups, long seed, Slice<S, W> slice) throws IOException {
    Random random = new Random(seed);
    Map<S, List<W>> measured = lists(variants);
    for (int group = 0; group < groups; group++) {
      List<S> order = new ArrayList<>(variants);
      Collections.shuffle(order, random);
      for (S variant : order) {
        measured.get(variant).add(slice.measure(variant, group));
      }
    }
    return measured;
  }

  /** Returns an empty list for each variant, in their order. */
  public static <S, W> Map<S, List<W>> lists(Collection<S> variants) {
    Map<S, List<W>> lists = new LinkedHashMap<>();
    variants.forEach(variant -> lists.put(variant, new ArrayList<>()));
    return lists;
  }

  /** Does the same work for all variants at once, each in a thread, and waits for the end. */
  public static <S> void together(Collection<S> variants, ConsumerRaisingIOE<S> work)
      throws IOException {
    List<FutureTask<?>> tasks = new ArrayList<>();
    for (S variant : variants) {
      FutureTask<?> task =
          new FutureTask<>(
              () -> {
                work.accept(variant);
                return null;
              });
      Thread thread = new Thread(task, "together");
      thread.setDaemon(true);
      thread.start();
      tasks.add(task);
    }
    for (FutureTask<?> task : tasks) {
      Pause.await(task);
    }
  }
}
