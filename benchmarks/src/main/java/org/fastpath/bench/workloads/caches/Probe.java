package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.util.Map;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.CacheSide;

/** Measures one cache once, in a JVM of its own: {@link BlockCaches} starts it. */
interface Probe {
  /** Measures a side. */
  void measure(CacheSide side, Map<String, String> params, Lines.Sink sink) throws IOException;

  /** The forked JVM: name of what is measured, side, parameters as {@code name=value}. */
  static void main(String[] args) throws IOException {
    World.confirmCurrent();
    Measured.valueOf(args[0])
        .probe()
        .measure(CacheSide.of(args[1]), Lines.params(args, 2), Lines.writer());
    // Caches have threads that are no daemons.
    System.exit(0);
  }
}
