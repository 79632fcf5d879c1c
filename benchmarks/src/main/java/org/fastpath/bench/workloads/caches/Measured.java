package org.fastpath.bench.workloads.caches;

import java.util.List;
import java.util.Locale;

/** What {@link Probe}s measure, with the memory of each. */
enum Measured {
  /** See {@link ReaderStall}. */
  STALLS(new ReaderStall()),
  /** See {@link HeapPerBlock}. */
  HEAP(new HeapPerBlock(), "-Xms4g", "-Xmx4g", "-XX:MaxDirectMemorySize=5g"),
  /** See {@link MemoryWaste}. */
  WASTE(new MemoryWaste(256L << 20, 48L << 20)),
  /** See {@link GrowthStall}. */
  GROWTH(new GrowthStall(), "-XX:MaxDirectMemorySize=8g");

  private final Probe probe;
  private final List<String> jvmFlags;

  Measured(Probe probe, String... jvmFlags) {
    this.probe = probe;
    this.jvmFlags = List.of(jvmFlags);
  }

  /** The name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  Probe probe() {
    return probe;
  }

  /** In addition to those of the world, which they override. */
  List<String> jvmFlags() {
    return jvmFlags;
  }
}
