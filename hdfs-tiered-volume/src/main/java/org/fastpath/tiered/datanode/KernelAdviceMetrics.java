package org.fastpath.tiered.datanode;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/** Counts the advice that {@link TieredFileIoProvider} gives and omits. Thread-safe. */
final class KernelAdviceMetrics {
  private static final Counter WRITE_BEHIND;
  private static final Counter WRITE_BEHIND_OMITTED;
  private static final Counter DROP_BEHIND;
  private static final Counter DROP_BEHIND_OMITTED;

  static {
    SourceBuilder builder =
        Metrics.source("KernelAdvice", "A DataNode's advice to the kernel about the page cache");
    WRITE_BEHIND = builder.counter("writeBehindCount", "Ranges written behind (sync_file_range)");
    WRITE_BEHIND_OMITTED =
        builder.counter(
            "writeBehindOmittedCount", "Ranges not written behind, by the volume's type");
    DROP_BEHIND = builder.counter("dropBehindCount", "Ranges that were dropped from the cache");
    DROP_BEHIND_OMITTED =
        builder.counter("dropBehindOmittedCount", "Ranges not dropped, by the volume's type");
    builder.register();
  }

  private KernelAdviceMetrics() {}

  /** Shows the source. */
  static void register() {
    // The initialization of the class registers the source.
  }

  static void writeBehind(boolean done) {
    (done ? WRITE_BEHIND : WRITE_BEHIND_OMITTED).increment();
  }

  static void dropBehind(boolean done) {
    (done ? DROP_BEHIND : DROP_BEHIND_OMITTED).increment();
  }
}
