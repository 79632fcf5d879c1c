package org.fastpath.tiered.datanode;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/** Counts the waits for the {@link PatientWriteLock}s of this DataNode. Thread-safe. */
final class LockMetrics {
  private static final Histogram WAITS;
  private static final Counter STEPPED_BACK;
  private static final Counter IMPATIENT;

  static {
    SourceBuilder builder =
        Metrics.source("DatasetLocks", "Write locks of a DataNode's block pools");
    WAITS =
        builder.histogram(
            "poolWriteWait", Unit.NANOS, "Waits for the write lock of a " + "block pool");
    STEPPED_BACK =
        builder.counter(
            "steppedBackCount", "Times that such a wait let readers go first (step " + "back)");
    IMPATIENT =
        builder.counter("outOfPatienceCount", "Waits so long that readers had to wait, too");
    builder.register();
  }

  private LockMetrics() {}

  /** Shows the source. */
  static void register() {
    // The initialization of the class registers the source.
  }

  static void waited(long nanos) {
    WAITS.record(nanos);
  }

  static void steppedBack() {
    STEPPED_BACK.increment();
  }

  static void impatient() {
    IMPATIENT.increment();
  }
}
