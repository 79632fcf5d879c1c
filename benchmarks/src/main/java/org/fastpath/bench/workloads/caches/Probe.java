package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.util.Map;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.CacheSide;

/** Measures one cache once, in a separate JVM that {@link BlockCaches} starts. */
interface Probe {
  /** Measures a side. */
  void measure(CacheSide side, Map<String, String> params, Lines.Sink sink) throws IOException;

  /** Runs in the forked JVM. Arguments: measurement, side, parameters as {@code name=value}. */
  static void main(String[] args) throws IOException {
    World.confirmCurrent();
    Measured.valueOf(args[0])
        .probe()
        .measure(CacheSide.of(args[1]), Lines.params(args, 2), Lines.writer());
    // Caches have threads that are not daemons.
    System.exit(0);
  }
}
