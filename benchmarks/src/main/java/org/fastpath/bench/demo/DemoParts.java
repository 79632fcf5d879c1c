package org.fastpath.bench.demo;

import java.util.List;

/** The parts of the demo. */
final class DemoParts {
  private DemoParts() {}

  /** All of them, in the order in which they run. */
  static List<DemoPart> all() {
    return List.of(
        new LoadPart(),
        new ScanPart(),
        new MultiGetPart(),
        new MetricsPart(),
        new BlockCachePart(),
        new CompactionPart());
  }
}
