package org.fastpath.bench.engine.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The samples of one quantity, on one variant of a comparison, in every round.
 *
 * @param name dotted: {@code checksum.DataChecksumBenchmark.verify}
 * @param params parameters in display order; {@code size} is the number of bytes of one operation
 * @param variant the world, or the letter, of this variant
 * @param unit {@code ns/op}, {@code B/op}, {@code s}, {@code rows/s}, {@code %}...
 * @param rounds the raw samples of each round, in the order of the rounds: JMH's iterations, or the
 *     one value of a workload
 */
public record Measurement(
    String name,
    Map<String, String> params,
    @JsonProperty("side") String variant,
    String unit,
    Better better,
    List<List<Double>> rounds) {
  /** The parameter of a figure that is counted, not timed; its value says how. */
  public static final String COUNTED = "counted";

  /** The parameter of figures from one start of each variant's JVMs: "once" or "just now". */
  public static final String START = "start";

  /** The direction that is good. */
  public enum Better {
    LOWER,
    HIGHER;

    /** Returns the good direction of a unit: high for rates, low for all others. */
    public static Better of(String unit) {
      return unit.endsWith("/s") || unit.startsWith("ops/") ? HIGHER : LOWER;
    }
  }

  /** Copies its collections; refuses a measurement without samples. */
  public Measurement {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    rounds = rounds.stream().map(List::copyOf).toList();
    if (rounds.isEmpty() || rounds.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException(
          name + " on side " + variant + " has a round without sample");
    }
  }

  /** Returns one value per round: the median of the round's samples. */
  public double[] perRound() {
    return rounds.stream()
        .mapToDouble(round -> median(round.stream().mapToDouble(v -> v).toArray()))
        .toArray();
  }

  public double median() {
    return median(perRound());
  }

  /** Returns the middle value, or the mean of the two middle values. */
  public static double median(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  boolean counted() {
    return params.containsKey(COUNTED);
  }

  /** Returns the ratio by which figures of a single event differ with stock on both sides, or 1. */
  double margin() {
    double start = "once".equals(params.get(START)) ? 1.05 : 1.3;
    return counted() ? 1.1 : params.containsKey(START) ? start : 1;
  }

  public double max() {
    return DoubleStream.of(perRound()).max().orElseThrow();
  }
}
