package org.fastpath.tiered.regionserver.guard;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;

/**
 * What the guard of a RegionServer sees and does, as the source {@code TierGuard}. Rates are bytes
 * a second. Safe from any thread.
 */
final class GuardMetrics implements AutoCloseable {
  private final Counter warnings;
  private final Counter overloads;
  private final Counter failures;
  private final Counter unlocated;
  private final Registration registration;
  private volatile LoadState state = LoadState.NONE;
  private volatile long allowed;

  /**
   * Shows it.
   *
   * @param ingestedBytes appended to logs
   * @param counts of the last look
   * @param blockedMillis for how long HBase held writes up, all of its threads together
   */
  GuardMetrics(
      LongSupplier ingestedBytes, Supplier<ServerWatch.Counts> counts, LongSupplier blockedMillis) {
    SourceBuilder builder =
        Metrics.source("TierGuard", "Writes against what flushes and compactions take");
    builder.counter("walAppendedBytes", "Bytes appended to logs", ingestedBytes);
    builder.counter(
        "memStoreFlushedBytes",
        "Bytes of memstores written to store files",
        () -> counts.get().drainedBytes());
    builder.counter(
        "updatesBlockedMillis",
        "Time for which HBase held writes up, all handlers together",
        blockedMillis);
    builder.gauge("ingestRateBytes", "Appended to logs in a second", () -> rate(state.ingest()));
    builder.gauge(
        "demandRateBytes",
        "Rate of appends to the WAL while writes are not blocked, bytes a second",
        () -> rate(state.demand()));
    builder.gauge(
        "capacityRateBytes",
        "Of memstores, what flushes take in a second at their best; 0 if that is not known",
        () -> rate(state.capacity()));
    builder.gauge(
        "blockedPermilleCount",
        "Thousandths of the recent time in which writes were held up",
        () -> Math.round(state.blockedShare() * 1000));
    builder.gauge(
        "pressedPermilleCount",
        "Thousandths of the recent time in which flushes had as much to do as they could",
        () -> Math.round(state.pressedShare() * 1000));
    builder.gauge(
        "blockedRegionCount",
        "Regions that take no writes because of their memstores",
        () -> counts.get().blockedRegions());
    builder.gauge(
        "fullStoreCount",
        "Stores at hbase.hstore.blockingStoreFiles",
        () -> counts.get().fullStores());
    builder.gauge(
        "overloadedCount",
        "1 while writes come in faster than flushes take them, else 0",
        () -> state.overloaded() ? 1 : 0);
    builder.gauge(
        "allowedRateBytes", "Rate to which writes are throttled, 0 if they are not", () -> allowed);
    overloads = builder.counter("overloadCount", "Times that an overload began");
    warnings = builder.counter("warningCount", "Warnings in the log");
    failures = builder.counter("failedLookCount", "Looks that failed");
    unlocated = builder.counter("unlocatedFileCount", "Store files that HDFS could not locate");
    registration = builder.register();
  }

  private static long rate(double bytes) {
    return Math.max(0, Math.round(bytes));
  }

  void show(LoadState now, long allowedNow) {
    if (now.overloaded() && !state.overloaded()) {
      overloads.increment();
    }
    state = now;
    allowed = allowedNow;
  }

  void warned() {
    warnings.increment();
  }

  void failed() {
    failures.increment();
  }

  void unlocated() {
    unlocated.increment();
  }

  @Override
  public void close() {
    registration.close();
  }
}
