package org.fastpath.bench.engine;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.fastpath.bench.engine.report.Numbers;
import org.fastpath.bench.engine.results.Measurement;

/**
 * The protocol between a measuring JVM and its driver: lines of standard output with figures and
 * progress. An object is the driver's end of the pipe. {@link #main} runs the other end.
 */
public final class Lines {
  private static final String FIGURE = "figure";
  private static final String PROGRESS = "progress";
  private final Map<Key, List<Double>> samples = new LinkedHashMap<>();

  private record Key(String name, String variant, String unit) {}

  /** Measures in a separate JVM. Its class has a constructor without parameters. */
  public interface Probe {
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

    default void progress(long done, long total) {}
  }

  /** The measuring end, which writes to standard output. */
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
      System.out.println(String.join("\t", parts));
    }
  }

  /** Returns the arguments with which {@link #main} runs a probe. */
  public static List<String> arguments(Class<? extends Probe> probe, Map<String, String> params) {
    List<String> arguments = new ArrayList<>(List.of(probe.getName()));
    params.forEach((name, value) -> arguments.add(name + "=" + value));
    return arguments;
  }

  /**
   * Runs a probe. Arguments: its class and its parameters as {@code name=value}. Ends the JVM even
   * though caches and HDFS clients have threads that are not daemons, with 1 if the probe failed.
   */
  public static void main(String[] args) {
    try {
      World.confirmCurrent();
      Map<String, String> params = new LinkedHashMap<>();
      for (String arg : List.of(args).subList(1, args.length)) {
        String[] pair = arg.split("=", 2);
        params.put(pair[0], pair[1]);
      }
      Constructor<?> probe = Class.forName(args[0]).getDeclaredConstructor();
      probe.setAccessible(true);
      ((Probe) probe.newInstance()).measure(params, new Writer());
    } catch (IOException | ReflectiveOperationException | RuntimeException | Error e) {
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  /** Receives a line: stores a figure or shows progress. */
  public void hear(String line, Console.Step step) {
    String[] parts = line.split("\t", -1);
    if (parts[0].equals(FIGURE)) {
      Key key = new Key(parts[1], parts[2], parts[3]);
      samples.computeIfAbsent(key, any -> new ArrayList<>()).add(Double.valueOf(parts[4]));
    } else if (parts[0].equals(PROGRESS)) {
      step.update(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }

  /** Returns the median of the received samples of a figure. */
  public double median(String figure) {
    return Measurement.median(
        samples.entrySet().stream()
            .filter(sampled -> sampled.getKey().name.equals(figure))
            .flatMap(sampled -> sampled.getValue().stream())
            .mapToDouble(Double::doubleValue)
            .toArray());
  }

  /**
   * Adds the received samples to the results as the next round, and ends the step with their
   * medians. Fails if there are no samples.
   *
   * @param params parameters of all figures
   * @param parameter the parameter that distinguishes variants of the work inside the JVM
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
            told.add(what.strip() + ": " + Numbers.withUnit(Measurement.median(round), key.unit));
          }
        });
    step.done(told.toString());
  }
}
