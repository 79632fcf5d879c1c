package org.fastpath.bench.engine.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The samples of one quantity, on one variant of a comparison, in every round.
 *
 * @param name dotted name: {@code checksum.DataChecksumBenchmark.verify}, {@code
 *     compaction.cpu.user.seconds}
 * @param params parameters in display order; {@code size} is the number of bytes of one operation
 * @param variant the world, or the letter, of this variant
 * @param unit {@code ns/op}, {@code B/op}, {@code s}, {@code rows/s}, {@code %}...
 * @param better the direction that is good
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

  /** The direction that is good. */
  public enum Better {
    /** Times, bytes, shares of the CPU. */
    LOWER,
    /** Rates. */
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

  /** Creates a measurement of one value per round; the unit determines the good direction. */
  public static Measurement of(
      String name, Map<String, String> params, String variant, String unit, double... perRound) {
    List<List<Double>> rounds = new ArrayList<>();
    Arrays.stream(perRound).forEach(value -> rounds.add(List.of(value)));
    return new Measurement(name, params, variant, unit, Better.of(unit), rounds);
  }

  /** Returns one value per round: the median of the round's samples. */
  public double[] perRound() {
    return rounds.stream().mapToDouble(Measurement::median).toArray();
  }

  private static double median(List<Double> samples) {
    return Statistics.median(samples.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Returns the median over the rounds. */
  public double median() {
    return Statistics.median(perRound());
  }

  /** Returns the lowest round. */
  public double min() {
    return DoubleStream.of(perRound()).min().orElseThrow();
  }

  /** Returns the highest round. */
  public double max() {
    return DoubleStream.of(perRound()).max().orElseThrow();
  }
}
