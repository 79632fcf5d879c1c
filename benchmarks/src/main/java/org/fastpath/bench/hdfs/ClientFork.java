package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.fastpath.bench.report.Numbers;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Statistics;
import org.fastpath.bench.workload.Console;
import org.fastpath.cluster.DaemonOptions;

/**
 * Runs a {@link ClientProbe} in a JVM of its own, once for each side and round, and adds its
 * samples to the results: those of one figure are the raw samples of one round. Not thread-safe.
 */
final class ClientFork {
  private static final long DIRECT_SLACK = 64L << 20;

  private final HdfsTestbed testbed;
  private final Telling telling;
  private final Console console;
  private final Results.Builder results;

  /**
   * What is run, and how its figures are told.
   *
   * @param work what is run
   * @param options heap and flags of its JVM
   * @param params parameters of all figures
   * @param variant the parameter that tells the ways apart in which the probe does its work
   * @param headlines the figures that people see at once
   */
  record Telling(
      HdfsClient.Work work,
      Consumer<DaemonOptions> options,
      Map<String, String> params,
      String variant,
      List<String> headlines) {}

  /** What a figure is known by. */
  private record Key(String name, String variant, String unit) {}

  /** Prepares it. */
  ClientFork(HdfsTestbed testbed, Telling telling, Console console, Results.Builder results) {
    this.testbed = testbed;
    this.telling = telling;
    this.console = console;
    this.results = results;
  }

  /** The option of a client that may hold so much off the heap, besides what clients need. */
  static Consumer<DaemonOptions> directMemory(long bytes) {
    return options -> options.jvmFlags("-XX:MaxDirectMemorySize=" + (bytes + DIRECT_SLACK));
  }

  /** Measures a side once; its figures are the next round. */
  void measure(ClientSide side, String round, Map<String, String> arguments) throws IOException {
    Console.Step step = console.step(round + ", " + side.id(), telling.work().unit());
    Map<Key, List<Double>> samples = run(side, arguments, step);
    results.describe(side.id(), side.description());
    samples.forEach((key, values) -> record(side, key, array(values)));
    step.done(
        telling.headlines().stream()
            .map(name -> headline(name, samples))
            .collect(Collectors.joining("; ")));
  }

  private Map<Key, List<Double>> run(
      ClientSide side, Map<String, String> arguments, Console.Step step) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(telling.work().name());
    arguments.forEach((name, value) -> words.add(name + "=" + value));
    Map<Key, List<Double>> samples = new LinkedHashMap<>();
    testbed.runClient(side, words, telling.options(), line -> hear(line, samples, step));
    return samples;
  }

  private static void hear(String line, Map<Key, List<Double>> samples, Console.Step step) {
    String[] parts = line.split(ClientProbe.SEPARATOR);
    if (parts[0].equals(ClientProbe.FIGURE)) {
      samples
          .computeIfAbsent(new Key(parts[1], parts[2], parts[3]), any -> new ArrayList<>())
          .add(Double.valueOf(parts[4]));
    } else if (parts[0].equals(ClientProbe.PROGRESS)) {
      step.update(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }

  private void record(ClientSide side, Key key, double[] values) {
    Map<String, String> params = new LinkedHashMap<>(telling.params());
    params.put(telling.variant(), key.variant());
    results.round(key.name(), params, side.id(), key.unit(), values);
  }

  /** The medians of a figure: "threads 1: 41.6 µs/read, threads 2: 43.0 µs/read". */
  private String headline(String name, Map<Key, List<Double>> samples) {
    return samples.entrySet().stream()
        .filter(sampled -> sampled.getKey().name().equals(name))
        .map(sampled -> told(sampled.getKey(), Statistics.median(array(sampled.getValue()))))
        .collect(Collectors.joining(", "));
  }

  private String told(Key key, double median) {
    return telling.variant()
        + " "
        + key.variant()
        + ": "
        + Numbers.format(median)
        + " "
        + key.unit();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
