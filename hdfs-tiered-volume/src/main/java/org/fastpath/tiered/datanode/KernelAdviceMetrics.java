package org.fastpath.tiered.datanode;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/** What {@link TypedFileIoProvider} does and leaves out. Thread-safe. */
final class KernelAdviceMetrics {
  private static final Counter WRITE_BEHIND;
  private static final Counter WRITE_BEHIND_LEFT_OUT;
  private static final Counter DROP_BEHIND;
  private static final Counter DROP_BEHIND_LEFT_OUT;

  static {
    SourceBuilder builder =
        Metrics.source("KernelAdvice", "What a DataNode tells the kernel of its page cache");
    WRITE_BEHIND = builder.counter("writeBehindCount", "Ranges that were written behind");
    WRITE_BEHIND_LEFT_OUT =
        builder.counter("writeBehindLeftOutCount", "Such that were not, by the volume's type");
    DROP_BEHIND = builder.counter("dropBehindCount", "Ranges that were dropped from the cache");
    DROP_BEHIND_LEFT_OUT =
        builder.counter("dropBehindLeftOutCount", "Such that were not, by the volume's type");
    builder.register();
  }

  private KernelAdviceMetrics() {}

  /** Shows the source. */
  static void register() {
    // What has to be done is done when the class is initialized.
  }

  static void writeBehind(boolean done) {
    (done ? WRITE_BEHIND : WRITE_BEHIND_LEFT_OUT).increment();
  }

  static void dropBehind(boolean done) {
    (done ? DROP_BEHIND : DROP_BEHIND_LEFT_OUT).increment();
  }
}
