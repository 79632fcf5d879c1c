package org.fastpath.tiered.regionserver.guard;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;

/**
 * The metrics source {@code TierGuard} of a RegionServer. Rates are bytes a second. Thread-safe.
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
   * Shows the source.
   *
   * @param ingestedBytes appended to logs
   * @param counts of the last sample
   * @param blockedMillis time for which HBase blocked writes, all its threads together
   */
  GuardMetrics(
      LongSupplier ingestedBytes, Supplier<ServerWatch.Counts> counts, LongSupplier blockedMillis) {
    SourceBuilder builder =
        Metrics.source("TierGuard", "The rate of writes compared with that of flushes");
    builder.counter("walAppendedBytes", "Bytes appended to logs", ingestedBytes);
    builder.counter(
        "memStoreFlushedBytes",
        "Bytes of memstores written to store files",
        () -> counts.get().drainedBytes());
    builder.counter(
        "updatesBlockedMillis",
        "Time for which HBase blocked writes, all handlers together",
        blockedMillis);
    builder.gauge(
        "ingestRateBytes", "Bytes appended to logs in a second", () -> rate(state.ingest()));
    builder.gauge(
        "demandRateBytes",
        "Rate of appends to the WAL while writes are not blocked, bytes a second",
        () -> rate(state.demand()));
    builder.gauge(
        "capacityRateBytes",
        "Maximum rate of flushes, bytes a second; 0 if unknown",
        () -> rate(state.capacity()));
    builder.gauge(
        "blockedPermilleCount",
        "Share of the recent time in which writes were blocked, times 1000",
        () -> Math.round(state.blockedShare() * 1000));
    builder.gauge(
        "pressedPermilleCount",
        "Share of the recent time in which flushes were fully busy, times 1000",
        () -> Math.round(state.pressedShare() * 1000));
    builder.gauge(
        "blockedRegionCount",
        "Regions that accept no writes because of their memstores",
        () -> counts.get().blockedRegions());
    builder.gauge(
        "fullStoreCount",
        "Stores at hbase.hstore.blockingStoreFiles",
        () -> counts.get().fullStores());
    builder.gauge(
        "overloadedCount",
        "1 while writes are faster than flushes (overload), otherwise 0",
        () -> state.overloaded() ? 1 : 0);
    builder.gauge(
        "allowedRateBytes", "Rate to which writes are throttled; 0 if they are not", () -> allowed);
    overloads = builder.counter("overloadCount", "Overloads that began");
    warnings = builder.counter("warningCount", "Warnings in the log");
    failures = builder.counter("failedSampleCount", "Samples that failed");
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
