package org.fastpath.bench.tiered;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** What became of the nodes of a fleet with one policy and one kind of fault. Thread-safe. */
final class FleetOutcome {
  private static final double MICROS_PER_MILLI = 1000;
  private static final double[] PERCENTILES = {50, 99, 99.9};

  private final Histogram micros = new Histogram(1, SimulatedNode.LONGEST_MICROS, 2);
  private final Map<String, DoubleStream.Builder> figures = new TreeMap<>();

  /** Adds a node's latencies. */
  synchronized void latencies(Histogram ofNode) {
    micros.add(ofNode);
  }

  /** Adds one figure of a node; of all of them the mean is shown. */
  synchronized void figure(String nameAndUnit, double value) {
    figures.computeIfAbsent(nameAndUnit, any -> DoubleStream.builder()).add(value);
  }

  /** All figures, by name and unit with a blank between them. */
  synchronized Map<String, Double> figures() {
    Map<String, Double> all = new LinkedHashMap<>();
    for (double percentile : PERCENTILES) {
      String name = "write.p" + String.valueOf(percentile).replace(".0", "").replace(".", "");
      all.put(name + " ms", micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI);
    }
    figures.forEach(
        (name, values) ->
            all.put(name, Arrays.stream(values.build().toArray()).average().orElse(0)));
    return all;
  }
}
