package org.fastpath.bench.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The protocol between a separate measuring JVM and the driver: lines of standard output with
 * figures and progress. This class has both ends of the pipe.
 */
public final class Lines {
  private static final String FIGURE = "figure";
  private static final String PROGRESS = "progress";
  private static final String SEPARATOR = "\t";
  private final Map<Key, List<Double>> samples = new LinkedHashMap<>();

  /**
   * The key of a sample.
   *
   * @param variant the variant of the work; may be empty
   */
  public record Key(String name, String variant, String unit) {}

  /** Receives the figures of a measuring JVM. */
  public interface Sink {
    /** Adds a sample. */
    void figure(String name, String variant, String unit, double value);

    /** Adds a sample of work that has only one variant. */
    default void figure(String name, String unit, double value) {
      figure(name, "", unit, value);
    }

    /** Reports progress. */
    default void progress(long done, long total) {}
  }

  /** Returns the measuring end, which writes to standard output. */
  public static Sink writer() {
    return new Sink() {
      @Override
      public void figure(String name, String variant, String unit, double value) {
        print(FIGURE, name, variant, unit, Double.toString(value));
      }

      @Override
      public void progress(long done, long total) {
        print(PROGRESS, Long.toString(done), Long.toString(total));
      }
    };
  }

  private static void print(String... parts) {
    System.out.println(String.join(SEPARATOR, parts));
  }

  /** Parses arguments of the form {@code name=value}, from the given index on. */
  public static Map<String, String> params(String[] args, int first) {
    Map<String, String> params = new LinkedHashMap<>();
    Arrays.stream(args)
        .skip(first)
        .map(arg -> arg.split("=", 2))
        .forEach(assignment -> params.put(assignment[0], assignment[1]));
    return params;
  }

  /** Receives a line at the driver's end: stores figures and shows progress. */
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

  /** Returns all received samples, in their order. */
  public Map<Key, double[]> samples() {
    Map<Key, double[]> all = new LinkedHashMap<>();
    samples.forEach(
        (key, values) -> all.put(key, values.stream().mapToDouble(Double::doubleValue).toArray()));
    return all;
  }
}
