package org.fastpath.tiered.datanode;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/** What {@link PatientWriteLock}s of this DataNode do. Thread-safe. */
final class LockMetrics {
  private static final Histogram WAITS;
  private static final Counter STEPPED_BACK;
  private static final Counter IMPATIENT;

  static {
    SourceBuilder builder =
        Metrics.source("DatasetLocks", "Who locks a block pool of a DataNode for writing");
    WAITS = builder.histogram("poolWriteWait", Unit.NANOS, "Waits for a block pool, for writing");
    STEPPED_BACK =
        builder.counter("steppedBackCount", "Times that such a wait let readers go first");
    IMPATIENT =
        builder.counter(
            "outOfPatienceCount", "Such waits that took so long that readers had to wait, too");
    builder.register();
  }

  private LockMetrics() {}

  /** Shows the source. */
  static void register() {
    // What has to be done is done when the class is initialized.
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
