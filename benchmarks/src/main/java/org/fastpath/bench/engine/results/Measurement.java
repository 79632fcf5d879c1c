package org.fastpath.bench.engine.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * What was measured for one thing, on one side of a comparison, in every round.
 *
 * @param name what was measured, dotted: {@code checksum.DataChecksumBenchmark.verify}, {@code
 *     compaction.cpu.user.seconds}
 * @param params what it was measured with, in display order; {@code size}, if there, is the bytes
 *     that one operation works through
 * @param side the world, or the letter, of this side
 * @param unit {@code ns/op}, {@code B/op}, {@code s}, {@code rows/s}, {@code %}...
 * @param better which direction is good
 * @param rounds per round, in the order of the rounds, the raw samples of that round: JMH's
 *     iterations, or the one value of a workload
 */
public record Measurement(
    String name,
    Map<String, String> params,
    String side,
    String unit,
    Better better,
    List<List<Double>> rounds) {

  /** Which direction is good. */
  public enum Better {
    /** Times, bytes, shares of the CPU. */
    LOWER,
    /** Rates. */
    HIGHER;

    /** Rates are good when high, everything else when low. */
    public static Better of(String unit) {
      return unit.endsWith("/s") || unit.startsWith("ops/") ? HIGHER : LOWER;
    }
  }

  /** Copies its collections; refuses a measurement without samples. */
  public Measurement {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    rounds = rounds.stream().map(List::copyOf).toList();
    if (rounds.isEmpty() || rounds.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException(name + " on side " + side + " has a round without sample");
    }
  }

  /** One value per round, the direction that is good following from the unit. */
  public static Measurement of(
      String name, Map<String, String> params, String side, String unit, double... perRound) {
    List<List<Double>> rounds = new ArrayList<>();
    Arrays.stream(perRound).forEach(value -> rounds.add(List.of(value)));
    return new Measurement(name, params, side, unit, Better.of(unit), rounds);
  }

  /** One value per round: the median of the round's samples. */
  public double[] perRound() {
    return rounds.stream().mapToDouble(Measurement::median).toArray();
  }

  private static double median(List<Double> samples) {
    return Statistics.median(samples.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The median over the rounds. */
  public double median() {
    return Statistics.median(perRound());
  }

  /** The lowest round. */
  public double min() {
    return DoubleStream.of(perRound()).min().orElseThrow();
  }

  /** The highest round. */
  public double max() {
    return DoubleStream.of(perRound()).max().orElseThrow();
  }
}
