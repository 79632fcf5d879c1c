package org.fastpath.bench.offheap;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fastpath.bench.World;

/**
 * Measures one cache once, in a JVM of its own: {@link ProbeFork} starts it and reads the lines
 * that it prints.
 */
interface Probe {
  /** What a line that carries a figure begins with. */
  String FIGURE = "figure";

  /** Separates its parts: name, unit, value. */
  String SEPARATOR = "\t";

  /** Where figures go. */
  @FunctionalInterface
  interface Sink {
    void figure(String name, String unit, double value);
  }

  /** Measures a side. */
  void measure(CacheSide side, Map<String, String> params, Sink sink) throws IOException;

  /** The forked JVM: name of the probe, side, parameters as {@code name=value}. */
  static void main(String[] args) throws IOException {
    World.confirmCurrent();
    Map<String, String> params = new LinkedHashMap<>();
    for (int i = 2; i < args.length; i++) {
      String[] assignment = args[i].split("=", 2);
      params.put(assignment[0], assignment[1]);
    }
    Measured.of(args[0])
        .probe()
        .measure(
            CacheSide.of(args[1]),
            params,
            (name, unit, value) ->
                System.out.println(String.join(SEPARATOR, FIGURE, name, unit, "" + value)));
    // Caches have threads that are no daemons.
    System.exit(0);
  }
}
