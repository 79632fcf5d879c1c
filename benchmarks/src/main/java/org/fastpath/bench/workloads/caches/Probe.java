package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.util.Map;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.CacheVariant;

/** Measures one cache once, in a separate JVM that {@link BlockCaches} starts. */
interface Probe {
  /** Measures a variant. */
  void measure(CacheVariant variant, Map<String, String> params, Lines.Sink sink)
      throws IOException;

  /** Runs in the forked JVM. Arguments: measurement, variant, parameters as {@code name=value}. */
  static void main(String[] args) throws IOException {
    World.confirmCurrent();
    Measured.valueOf(args[0])
        .probe()
        .measure(CacheVariant.of(args[1]), Lines.params(args, 2), Lines.writer());
    // Caches have threads that are not daemons.
    System.exit(0);
  }
}
