package org.fastpath.tiered.regionserver;

import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.tiered.InvalidValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics source {@code Tiering}: the results of rules in this process. Thread-safe. */
final class TierMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(TierMetrics.class);
  private static final AtomicBoolean UNPLACED_LOGGED = new AtomicBoolean();
  private static final AtomicBoolean UNTRACKED_LOGGED = new AtomicBoolean();
  private static final AtomicBoolean UNQUEUED_LOGGED = new AtomicBoolean();
  private static final AtomicBoolean SMALL_LOGGED = new AtomicBoolean();
  private static final Counter PLACED;
  private static final Counter UNPLACED;
  private static final Counter FORMATTED;
  private static final Counter QUEUED;
  private static final Counter UNQUEUED;
  private static final Counter MISCONFIGURED;
  private static final Counter UNTRACKED;
  private static final Counter MISCONFIGURED_WAL;
  private static final Counter LARGE_PACKETS;
  private static final Counter SMALL_PACKETS;

  static {
    SourceBuilder builder =
        Metrics.source("Tiering", "Store files written in large packets, to the tiers of rules");
    PLACED = builder.counter("placedFileCount", "Store files written with the policy of a rule");
    UNPLACED =
        builder.counter(
            "unplacedFileCount",
            "Store files without their rule's policy, because setting it " + "failed");
    FORMATTED =
        builder.counter("formattedFileCount", "Store files with a rule's policy and format");
    QUEUED = builder.counter("queuedFileCount", "Bulk-loaded files whose move was requested");
    UNQUEUED =
        builder.counter("unqueuedFileCount", "Bulk-loaded files whose move could not be requested");
    MISCONFIGURED =
        builder.counter("misconfiguredStoreCount", "Stores whose rules are wrong and not applied");
    UNTRACKED =
        builder.counter(
            "untrackedStoreCount",
            "Stores without rules and large packets, because of HBase's code");
    MISCONFIGURED_WAL =
        builder.counter(
            "misconfiguredWalCount", "1 if the policy of the WAL does not exist, " + "otherwise 0");
    LARGE_PACKETS = builder.counter("largePacketFileCount", "Store files written in large packets");
    SMALL_PACKETS =
        builder.counter(
            "largePacketFailureCount",
            "Times that the client with large packets could not be opened, or was closed");
    builder.register();
  }

  private TierMetrics() {}

  /** Shows the source. */
  static void register() {
    // The initialization of the class registers the source.
  }

  /** Returns the number of files with a rule, whether or not their policy could be set. */
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
    count(
        UNPLACED,
        UNPLACED_LOGGED,
        "{} is not on the tier of policy {}, because the policy could not be set; further "
            + "cases are only counted",
        file,
        policy,
        why);
  }

  static void queued() {
    QUEUED.increment();
  }

  static void unqueued(Path file, Exception why) {
    count(
        UNQUEUED,
        UNQUEUED_LOGGED,
        "{} is not moved to the tier of its policy, because the request failed; further "
            + "cases are only counted",
        file,
        why);
  }

  static void largePackets() {
    LARGE_PACKETS.increment();
  }

  /** Reports that a client with large packets could not be opened, or is closed. */
  static void noLargePackets(URI files, Throwable why) {
    count(
        SMALL_PACKETS,
        SMALL_LOGGED,
        "Store files in {} are written in packets of HBase's size, because the client with large"
            + " packets failed; further failures are only counted",
        files,
        why);
  }

  static void misconfiguredWal(InvalidValueException why) {
    MISCONFIGURED_WAL.increment();
    LOG.error("The WAL is not on the configured tier: {}", why.getMessage());
  }

  static void misconfigured(Object store, InvalidValueException why) {
    MISCONFIGURED.increment();
    LOG.error(
        "Files of {} are written without rules because a rule is wrong: {}",
        store,
        why.getMessage());
  }

  static void untracked(Object store, Throwable why) {
    count(
        UNTRACKED,
        UNTRACKED_LOGGED,
        "Files of {} get no rules and no large packets; further cases are only counted",
        store,
        why);
  }

  /** Counts a failure, and logs it if it is the first of its kind. */
  private static void count(
      Counter failures, AtomicBoolean logged, String message, Object... details) {
    if (logged.compareAndSet(false, true)) {
      LOG.warn(message, details);
    }
    failures.increment();
  }
}
