package org.fastpath.bench.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.fastpath.bench.engine.report.Numbers;
import org.fastpath.bench.engine.results.Statistics;

/**
 * The protocol between a measuring JVM and its driver: lines of standard output with figures and
 * progress. An object is the driver's end of the pipe. {@link ProbeMain} runs the other end.
 */
public final class Lines {
  private static final String FIGURE = "figure";
  private static final String PROGRESS = "progress";
  private static final String SEPARATOR = "\t";
  private final Map<Key, List<Double>> samples = new LinkedHashMap<>();

  private record Key(String name, String variant, String unit) {}

  /** Measures in a separate JVM. Its class has a constructor without parameters. */
  public interface Probe {
    /** Measures with these parameters. */
    void measure(Map<String, String> params, Sink sink) throws IOException;
  }

  /** Receives the figures of a measuring JVM. */
  public interface Sink {
    /** Adds a sample; the variant is that of the work inside the JVM and may be empty. */
    void figure(String name, String variant, String unit, double value);

    /** Adds a sample of work that has only one variant. */
    default void figure(String name, String unit, double value) {
      figure(name, "", unit, value);
    }

    /** Reports progress. */
    default void progress(long done, long total) {}
  }

  /** Returns the measuring end, which writes to standard output. */
  static Sink writer() {
    return new Writer();
  }

  /** The measuring end. */
  private static final class Writer implements Sink {
    @Override
    public void figure(String name, String variant, String unit, double value) {
      print(FIGURE, name, variant, unit, Double.toString(value));
    }

    @Override
    public void progress(long done, long total) {
      print(PROGRESS, Long.toString(done), Long.toString(total));
    }

    private static void print(String... parts) {
      System.out.println(String.join(SEPARATOR, parts));
    }
  }

  /** Receives a line: stores a figure or shows progress. */
  public void hear(String line, Console.Step step) {
    String[] parts = line.split(SEPARATOR, -1);
    if (parts[0].equals(FIGURE)) {
      samples
          .computeIfAbsent(new Key(parts[1], parts[2], parts[3]), any -> new ArrayList<>())
          .add(Double.valueOf(parts[4]));
    } else if (parts[0].equals(PROGRESS)) {
      step.update(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }

  /**
   * Adds the received samples to the results as the next round and ends the step with their
   * medians.
   *
   * @param params parameters of all figures
   * @param parameter the parameter that distinguishes variants of the work inside the JVM
   * @throws IOException if there are no samples
   */
  public void record(
      Run run, Console.Step step, Map<String, String> params, String parameter, String variant)
      throws IOException {
    if (samples.isEmpty()) {
      throw new IOException("the measurement of " + variant + " had no figures");
    }
    StringJoiner told = new StringJoiner("; ");
    samples.forEach(
        (key, values) -> {
          Map<String, String> all = new LinkedHashMap<>(params);
          if (!key.variant.isEmpty()) {
            all.put(parameter, key.variant);
          }
          double[] round = values.stream().mapToDouble(Double::doubleValue).toArray();
          run.round(key.name, all, variant, key.unit, round);
          if (!key.name.contains(".nothing.")) {
            String what = key.name.replaceFirst("^[\\w-]+\\.", "") + " " + key.variant;
            told.add(what.strip() + ": " + Numbers.withUnit(Statistics.median(round), key.unit));
          }
        });
    step.done(told.toString());
  }
}
