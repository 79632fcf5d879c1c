package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Statistics;
import org.fastpath.bench.workload.Console;
import org.fastpath.cluster.DaemonOptions;

/**
 * Runs a {@link ClientProbe} in a JVM of its own, once for each side and round, and adds its
 * samples to the results: those of one figure are the raw samples of one round.
 */
final class ClientFork {
  private final HdfsTestbed testbed;
  private final HdfsClient.Work work;
  private final Consumer<DaemonOptions> options;

  /** What a figure is known by. */
  private record Key(String name, String variant, String unit) {}

  /**
   * Prepares it.
   *
   * @param options heap and flags of the JVM
   */
  ClientFork(HdfsTestbed testbed, HdfsClient.Work work, Consumer<DaemonOptions> options) {
    this.testbed = testbed;
    this.work = work;
    this.options = options;
  }

  /** The samples of one run. */
  static final class Samples {
    private final Map<Key, List<Double>> byKey = new LinkedHashMap<>();

    private void add(String[] line) {
      byKey
          .computeIfAbsent(new Key(line[1], line[2], line[3]), any -> new ArrayList<>())
          .add(Double.valueOf(line[4]));
    }

    /** Adds them as the next round. */
    void record(Results.Builder results, String side, Map<String, String> params, String variant) {
      byKey.forEach(
          (key, values) -> {
            Map<String, String> all = new LinkedHashMap<>(params);
            all.put(variant, key.variant());
            results.round(key.name(), all, side, key.unit(), array(values));
          });
    }

    /** The medians of the figures of that name, by variant. */
    Map<String, Double> medians(String name) {
      Map<String, Double> medians = new LinkedHashMap<>();
      byKey.forEach(
          (key, values) -> {
            if (key.name().equals(name)) {
              medians.put(key.variant(), Statistics.median(array(values)));
            }
          });
      return medians;
    }

    private static double[] array(List<Double> values) {
      return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
  }

  /** Measures one side once. */
  Samples run(ClientSide side, Map<String, String> params, Console.Step step) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(work.name());
    params.forEach((name, value) -> arguments.add(name + "=" + value));
    Samples samples = new Samples();
    testbed.runClient(side, arguments, options, line -> hear(line, samples, step));
    return samples;
  }

  private static void hear(String line, Samples samples, Console.Step step) {
    String[] parts = line.split(ClientProbe.SEPARATOR);
    if (parts[0].equals(ClientProbe.FIGURE)) {
      samples.add(parts);
    } else if (parts[0].equals(ClientProbe.PROGRESS)) {
      step.update(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }
}
