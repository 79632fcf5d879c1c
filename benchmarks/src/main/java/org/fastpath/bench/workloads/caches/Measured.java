package org.fastpath.bench.workloads.caches;

import java.util.List;
import java.util.Locale;

/** The measurements by {@link Probe}s, with their memory. */
enum Measured {
  /** Measures by {@link ReaderStall}. */
  STALLS(new ReaderStall()),
  /** Measures by {@link HeapPerBlock}. */
  HEAP(new HeapPerBlock(), "-Xms4g", "-Xmx4g", "-XX:MaxDirectMemorySize=5g"),
  /** Measures by {@link MemoryWaste}. */
  WASTE(new MemoryWaste(256L << 20, 48L << 20)),
  /**
   * Measures by {@link GrowthStall}. The young generation is so large that no collection begins.
   * The JVM stops all threads once a second even so.
   */
  GROWTH(new GrowthStall(), "-Xmn1500m", "-XX:MaxDirectMemorySize=8g");

  private final Probe probe;
  private final List<String> jvmFlags;

  Measured(Probe probe, String... jvmFlags) {
    this.probe = probe;
    this.jvmFlags = List.of(jvmFlags);
  }

  /** Returns the name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  Probe probe() {
    return probe;
  }

  /** Returns additional flags, which override those of the world. */
  List<String> jvmFlags() {
    return jvmFlags;
  }
}
