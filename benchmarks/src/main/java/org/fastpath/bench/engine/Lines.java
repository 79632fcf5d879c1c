package org.fastpath.bench.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a measuring JVM of its own tells the driver: lines of standard output, for figures and for
 * how far it is. The two ends of the pipe are here.
 */
public final class Lines {
  private static final String FIGURE = "figure";
  private static final String PROGRESS = "progress";
  private static final String SEPARATOR = "\t";
  private final Map<Key, List<Double>> samples = new LinkedHashMap<>();

  /**
   * What a sample is of.
   *
   * @param variant which of the ways in which the work was done; may be empty
   */
  public record Key(String name, String variant, String unit) {}

  /** Where a measuring JVM puts its figures. */
  public interface Sink {
    /** Adds a sample. */
    void figure(String name, String variant, String unit, double value);

    /** Adds one of work that is done in one way only. */
    default void figure(String name, String unit, double value) {
      figure(name, "", unit, value);
    }

    /** Some of the work is done. */
    default void progress(long done, long total) {}
  }

  /** The measuring end: writes to standard output. */
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

  /** Arguments of the form {@code name=value}, from the first one that counts. */
  public static Map<String, String> params(String[] args, int first) {
    Map<String, String> params = new LinkedHashMap<>();
    Arrays.stream(args)
        .skip(first)
        .map(arg -> arg.split("=", 2))
        .forEach(assignment -> params.put(assignment[0], assignment[1]));
    return params;
  }

  /** The driver's end: keeps figures, and shows progress. */
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

  /** All samples that were heard, in their order. */
  public Map<Key, double[]> samples() {
    Map<Key, double[]> all = new LinkedHashMap<>();
    samples.forEach(
        (key, values) -> all.put(key, values.stream().mapToDouble(Double::doubleValue).toArray()));
    return all;
  }
}
