package org.fastpath.bench.offheap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.Layout;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;

/**
 * What the {@link Probe}s measure, cache by cache: in each round and for each set of parameters one
 * JVM a cache, one right after the other, another one first each time.
 */
public final class BlockCacheExperiment {
  private final Plan plan;
  private final Results.Builder results;
  private final Consumer<String> progress;

  /**
   * How much is done.
   *
   * @param measured what is measured, by the names that {@link #all()} lists
   * @param caches which caches, by the names that {@link #caches()} lists
   * @param rounds how often
   * @param seconds how long a reader reads
   * @param insertsPerSecond how many blocks are inserted meanwhile
   * @param blocks how many blocks there are where heap is measured
   */
  public record Plan(
      List<String> measured,
      List<String> caches,
      int rounds,
      int seconds,
      int insertsPerSecond,
      int blocks) {
    /** Refuses names that are unknown. */
    public Plan {
      measured.forEach(Measured::of);
      caches.forEach(
          id -> {
            if (!CacheSide.of(id).world().isThere()) {
              throw new IllegalArgumentException("the side " + id + " needs --before");
            }
          });
    }

    /** The caches that a probe can measure. */
    private List<String> caches(Measured measured) {
      return caches.stream().filter(id -> measured.measures(CacheSide.of(id))).toList();
    }
  }

  /** Prepares it; a line of progress is told for each fork. */
  public BlockCacheExperiment(Plan plan, Results.Builder results, Consumer<String> progress) {
    this.plan = plan;
    this.results = results;
    this.progress = progress;
  }

  /** All that can be measured. */
  public static List<String> all() {
    return Arrays.stream(Measured.values()).map(Measured::id).toList();
  }

  /** All caches that are there without another build. */
  public static List<String> caches() {
    return Arrays.stream(CacheSide.values())
        .filter(side -> side != CacheSide.BEFORE)
        .map(CacheSide::id)
        .toList();
  }

  /** Runs it; the figures are in the results then. */
  public void run(Path log) throws IOException {
    results.candidate(CacheSide.OURS.id());
    ProbeFork fork = new ProbeFork(Layout.here(), log);
    for (int round = 0; round < plan.rounds(); round++) {
      for (String measured : plan.measured()) {
        for (Map<String, String> params : Measured.of(measured).cases(plan)) {
          sides(fork, Measured.of(measured), new TreeMap<>(params), round);
        }
      }
    }
    results.better("block-cache.stall.inserted", Measurement.Better.HIGHER);
    results.better("block-cache.heap.blocks", Measurement.Better.HIGHER);
  }

  private void sides(ProbeFork fork, Measured measured, Map<String, String> params, int round)
      throws IOException {
    for (String id : Interleaved.order(plan.caches(measured), round)) {
      CacheSide side = CacheSide.of(id);
      results.describe(id, side.description());
      Map<String, Double> figures = new LinkedHashMap<>();
      fork.run(
          measured,
          side,
          params,
          (name, unit, value) -> {
            results.round(name, params, id, unit, value);
            figures.put(name, value);
          });
      progress.accept(
          "round "
              + (round + 1)
              + ", "
              + measured.id()
              + " "
              + params
              + ", "
              + id
              + ": "
              + line(figures));
    }
  }

  private static String line(Map<String, Double> figures) {
    return figures.entrySet().stream()
        .filter(figure -> !figure.getKey().contains(".nothing."))
        .map(
            figure ->
                String.format(Locale.ROOT, "%s %,.1f", last(figure.getKey()), figure.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String last(String name) {
    return name.replaceFirst("^block-cache\\.(stall\\.|heap\\.|growth\\.)?", "");
  }
}
