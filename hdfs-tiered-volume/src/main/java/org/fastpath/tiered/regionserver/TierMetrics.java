package org.fastpath.tiered.regionserver;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.tiered.InvalidValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of rules in this process, as the source {@code Tiering}. Safe from any thread. */
final class TierMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(TierMetrics.class);
  private static final AtomicBoolean UNPLACED_SAID = new AtomicBoolean();
  private static final AtomicBoolean UNTRACKED_SAID = new AtomicBoolean();
  private static final AtomicBoolean UNQUEUED_SAID = new AtomicBoolean();
  private static final Counter PLACED;
  private static final Counter UNPLACED;
  private static final Counter FORMATTED;
  private static final Counter QUEUED;
  private static final Counter UNQUEUED;
  private static final Counter MISCONFIGURED;
  private static final Counter UNTRACKED;
  private static final Counter MISCONFIGURED_WAL;

  static {
    SourceBuilder builder =
        Metrics.source("Tiering", "Store files written to the tiers that rules name");
    PLACED = builder.counter("placedFileCount", "Store files written with the policy of a rule");
    UNPLACED =
        builder.counter(
            "unplacedFileCount", "Store files that a rule's policy could not be set on");
    FORMATTED =
        builder.counter("formattedFileCount", "Of those placed, written in the format of a rule");
    QUEUED =
        builder.counter("queuedFileCount", "Bulk-loaded files that the mover was asked to move");
    UNQUEUED =
        builder.counter("unqueuedFileCount", "Bulk-loaded files that it could not be asked for");
    MISCONFIGURED =
        builder.counter("misconfiguredStoreCount", "Stores without rules: theirs are wrong");
    UNTRACKED =
        builder.counter("untrackedStoreCount", "Stores whose files could not be placed at all");
    MISCONFIGURED_WAL =
        builder.counter("misconfiguredWalCount", "1 if the policy of the WAL is not there");
    builder.register();
  }

  private TierMetrics() {}

  /** Shows the source. */
  static void register() {
    // What has to be done is done when the class is initialized.
  }

  /** Files that a rule was about, whether their policy could be set or not. */
  static long written() {
    return PLACED.sum() + UNPLACED.sum();
  }

  static void placed(boolean formatted) {
    PLACED.increment();
    if (formatted) {
      FORMATTED.increment();
    }
  }

  static void unplaced(Path file, String policy, Exception why) {
    if (UNPLACED_SAID.compareAndSet(false, true)) {
      LOG.warn(
          "{} is not on the tier of policy {}; more of the kind are counted only",
          file,
          policy,
          why);
    }
    UNPLACED.increment();
  }

  static void queued() {
    QUEUED.increment();
  }

  static void unqueued(Path file, Exception why) {
    if (UNQUEUED_SAID.compareAndSet(false, true)) {
      LOG.warn(
          "{} is not moved to the tier of its policy; more of the kind are counted only",
          file,
          why);
    }
    UNQUEUED.increment();
  }

  static void misconfiguredWal(InvalidValueException why) {
    MISCONFIGURED_WAL.increment();
    LOG.error("The WAL is not on the tier that is asked for: {}", why.getMessage());
  }

  static void misconfigured(Object store, InvalidValueException why) {
    MISCONFIGURED.increment();
    LOG.error("Files of {} are written without rules: {}", store, why.getMessage());
  }

  static void untracked(Object store, Throwable why) {
    if (UNTRACKED_SAID.compareAndSet(false, true)) {
      LOG.warn(
          "Files of {} cannot be placed by rules; more of the kind are counted only", store, why);
    }
    UNTRACKED.increment();
  }
}
