package org.fastpath.bench.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;

/**
 * What reads cost in one round, slice by slice, and what is told of it.
 *
 * <p>The cost is the median of the slices: a garbage collection, which falls into a few of them, is
 * not in it. The mean has its share of garbage collections and everything else that happened to
 * fall into this side's slices: it is complete, and noisier.
 */
final class ReadCosts {
  private static final String PREFIX = "metrics.";
  private static final double PERCENT = 100;

  private final Map<Reads, Map<String, List<Double>>> costs = new EnumMap<>(Reads.class);

  void add(Reads kind, String side, double cost) {
    costs
        .computeIfAbsent(kind, any -> new LinkedHashMap<>())
        .computeIfAbsent(side, any -> new ArrayList<>())
        .add(cost);
  }

  /** Adds what another one has. */
  void addAll(ReadCosts other) {
    other.costs.forEach(
        (kind, sides) ->
            sides.forEach((side, costs) -> costs.forEach(cost -> add(kind, side, cost))));
  }

  /** All slices of a side, in their order. */
  List<Double> all(Reads kind, String side) {
    return List.copyOf(costs.get(kind).get(side));
  }

  /** The median of a side. */
  double median(Reads kind, String side) {
    return median(samples(kind, side));
  }

  private static double median(double... values) {
    return Measurement.of(PREFIX, Map.of(), "", "", values).median();
  }

  /**
   * By how many percent a side costs more than another one: the median over pairs of slices, which
   * saw the same machine where sides take turns.
   */
  double overhead(Reads kind, String side, String baseline) {
    double[] percent = samples(kind, side);
    double[] base = samples(kind, baseline);
    for (int i = 0; i < percent.length; i++) {
      percent[i] = PERCENT * (percent[i] / base[i] - 1);
    }
    return median(percent);
  }

  /**
   * Adds a round of everything to the results. What a side costs more than the baseline is a
   * measurement of its own by the side's name: percentages of two sides make no ratio.
   */
  void record(Results.Builder results, Map<String, String> params, String baseline) {
    costs.forEach(
        (kind, sides) ->
            sides.keySet().forEach(side -> record(results, params, kind, side, baseline)));
  }

  private void record(
      Results.Builder results,
      Map<String, String> params,
      Reads kind,
      String side,
      String baseline) {
    double[] samples = samples(kind, side);
    double mean = Arrays.stream(samples).average().orElseThrow();
    String name = PREFIX + kind.label() + ".cpu";
    results.round(name, params, side, kind.unit(), samples);
    results.round(name + ".mean", params, side, kind.unit(), mean);
    if (!side.equals(baseline)) {
      results.round(
          PREFIX + kind.label() + "." + side + ".percent",
          params,
          side,
          "%",
          overhead(kind, side, baseline));
    }
  }

  private double[] samples(Reads kind, String side) {
    return costs.get(kind).get(side).stream().mapToDouble(cost -> cost).toArray();
  }

  /** One line for a person. */
  String summary(Reads kind, List<String> sides) {
    StringBuilder text = new StringBuilder(kind.label() + ", " + kind.unit() + ":");
    for (String side : sides) {
      text.append(
          String.format(
              Locale.ROOT,
              " %s %.3f (%+.2f %%)",
              side,
              median(kind, side),
              overhead(kind, side, sides.get(0))));
    }
    return text.toString();
  }
}
