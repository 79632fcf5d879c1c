package org.fastpath.metrics.region;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.FeatureGuard;
import org.fastpath.common.guard.Unverified;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * Keeps the regions that are open in this JVM, with their tables, and decides which regions have
 * latencies.
 *
 * <p>Up to the limit, every region has latencies from its opening on. Beyond the limit, the regions
 * with the most requests since the last ranking have them. Requests of a region that already has
 * latencies count twice, so similar regions do not alternate every minute. A snapshot ranks the
 * regions, at most once a minute.
 *
 * <p>Opening, closing and ranking hold a lock. A snapshot never waits for it: it ranks only if the
 * lock is free. No request needs the lock.
 *
 * <p>If a region is closed or loses its histograms, the table keeps these for one more minute. So
 * its quantiles do not jump at a split, and a request that still records is not lost. A table
 * without a region here is kept for ten minutes. If its only region splits or is reopened, its
 * counters continue.
 */
final class RegionRegistry implements AutoCloseable {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long TABLE_MEMORY = TimeUnit.MINUTES.toNanos(10);

  private static final FeatureStatus STATUS =
      FeatureStatus.of("hbase-metrics2-shim", "region-metrics");

  private static final FeatureGuard GUARD =
      new FeatureGuard(
          STATUS,
          RegionRegistry.class,
          () -> "HBase " + VersionInfo.getVersion(),
          Unverified.HBASE_KEY,
          () -> HBaseConfiguration.create().get(Unverified.HBASE_KEY));

  private static RegionRegistry ofJvm;

  private final AggregateSource regionSource;
  private final AggregateSource tableSource;
  private final int limit;
  private final LongSupplier nanoTime;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, OpenRegion> regions = new ConcurrentHashMap<>();
  private final Map<TableName, TableMetrics> tables = new HashMap<>();
  private final Deque<Left> left = new ArrayDeque<>();
  private volatile int withHistograms;
  private long lastRanking;

  /** Histograms that no region uses any more, with the time since then. */
  private record Left(TableMetrics table, RegionHistograms histograms, long nanos) {}

  private record Ranked(OpenRegion region, long weight) {}

  /**
   * Makes a registry.
   *
   * @param limit the number of regions with latencies
   */
  RegionRegistry(
      AggregateSource regionSource, AggregateSource tableSource, int limit, LongSupplier nanoTime) {
    this.regionSource = regionSource;
    this.tableSource = tableSource;
    this.limit = limit;
    this.nanoTime = nanoTime;
    lastRanking = nanoTime.getAsLong();
    regionSource.beforeSnapshot(this::lookAround);
    tableSource.beforeSnapshot(this::lookAround);
  }

  /**
   * Returns the registry of this JVM, shared by all its RegionServers. The configuration of the
   * first opened region applies. Returns null, and nothing is shown, if HBase's code is not the
   * verified code.
   *
   * @throws IllegalArgumentException if the configuration is wrong
   */
  static synchronized RegionRegistry ofJvm(Configuration configuration) {
    if (ofJvm == null && GUARD.usable()) {
      int limit = limit(configuration);
      RegionRegistry registry =
          new RegionRegistry(
              Metrics.aggregate(
                  "FastpathRegions",
                  "Requests and latencies of each region that is open here",
                  "namespace",
                  "table",
                  "region"),
              Metrics.aggregate(
                  "FastpathTables",
                  "Requests and latencies of each table, over its regions here",
                  "namespace",
                  "table"),
              limit,
              System::nanoTime);
      registry.showItself();
      ofJvm = registry;
      STATUS.active();
    }
    return ofJvm;
  }

  private static int limit(Configuration configuration) {
    try {
      return QuantileLimit.of(configuration);
    } catch (IllegalArgumentException e) {
      STATUS.misconfigured(e.getMessage());
      throw e;
    }
  }

  private void showItself() {
    SourceBuilder builder =
        Metrics.source(
            "FastpathRegionObserver", "The kind of observer: the region's class or a coprocessor");
    builder.gauge("regionCount", "Regions open here", regions::size);
    builder.gauge("regionWithQuantilesCount", "Of these, with latencies", () -> withHistograms);
    builder.counter("failedHookCount", "Failures of hooks, hidden from HBase", FailedHooks::count);
    builder.register();
  }

  /**
   * Returns the object of a region, or a new one that is not shown yet. If HBase replaces the
   * coprocessors of an open region, it neither opens the second observer nor stops the first one.
   * So both share one object.
   */
  OpenRegion of(Region region) {
    OpenRegion known = regions.get(region.getRegionInfo().getEncodedName());
    return known != null && known.region() == region ? known : new OpenRegion(region);
  }

  /** Adds a region that serves requests from now on. */
  void open(OpenRegion region) {
    locked(
        () -> {
          dropClosed();
          OpenRegion earlier = regions.get(region.name());
          if (earlier == region) {
            return;
          }
          region.opened();
          TableMetrics table = tables.computeIfAbsent(region.table(), TableMetrics::new);
          regions.put(region.name(), region);
          if (earlier != null) {
            leave(earlier);
          }
          try {
            table.add(region, tableSource);
            show(region, withHistograms < limit);
          } catch (RuntimeException | Error e) {
            regions.remove(region.name(), region);
            leave(region);
            throw e;
          }
        });
  }

  /** Removes a region that serves no requests any more. Does nothing if it was not added. */
  void close(OpenRegion region) {
    locked(
        () -> {
          if (regions.remove(region.name(), region)) {
            leave(region);
          }
          forget();
        });
  }

  /** Runs work that changes regions, tables or the set of regions with latencies. */
  void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private void leave(OpenRegion region) {
    try {
      hide(region);
    } finally {
      tables.get(region.table()).remove(region, nanoTime.getAsLong());
    }
  }

  private void show(OpenRegion region, boolean histograms) {
    region.show(regionSource, tables.get(region.table()), histograms);
    withHistograms += histograms ? 1 : 0;
  }

  private void hide(OpenRegion region) {
    RegionHistograms histograms = region.hide();
    if (histograms != null) {
      withHistograms--;
      left.add(new Left(tables.get(region.table()), histograms, nanoTime.getAsLong()));
    }
  }

  private void lookAround() {
    if (!lock.tryLock()) {
      return;
    }
    try {
      dropClosed();
      long now = nanoTime.getAsLong();
      if (now - lastRanking >= MINUTE) {
        lastRanking = now;
        forget();
        rank();
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes closed regions that HBase did not report. The closing of a {@code MeteredRegion} has no
   * method that is the same in all versions. A coprocessor that is removed from an open region gets
   * no report. Every snapshot calls this, so it shows open regions only. Every opening calls it
   * too, so closed regions do not accumulate without snapshots.
   */
  private void dropClosed() {
    for (OpenRegion region : List.copyOf(regions.values())) {
      if (region.region().isClosed() && regions.remove(region.name(), region)) {
        leave(region);
      }
    }
  }

  private void forget() {
    long now = nanoTime.getAsLong();
    while (!left.isEmpty() && now - left.peek().nanos >= MINUTE) {
      Left oldest = left.remove();
      oldest.table.remove(oldest.histograms);
    }
    tables.values().removeIf(table -> table.isEmpty() && now - table.emptySince() >= TABLE_MEMORY);
  }

  private void rank() {
    List<OpenRegion> ranked =
        regions.values().stream()
            .map(region -> new Ranked(region, weight(region)))
            .sorted(Comparator.comparingLong(Ranked::weight).reversed())
            .map(Ranked::region)
            .toList();
    int chosen = Math.min(limit, ranked.size());
    for (OpenRegion region : ranked.subList(chosen, ranked.size())) {
      if (region.histograms() != null) {
        hide(region);
        show(region, false);
      }
    }
    for (OpenRegion region : ranked.subList(0, chosen)) {
      if (region.histograms() == null) {
        hide(region);
        show(region, true);
      }
    }
  }

  private static long weight(OpenRegion region) {
    long requests = region.newRequests();
    return region.histograms() == null ? requests : 2 * requests + 1;
  }

  /** Removes the sources. */
  @Override
  public void close() {
    regionSource.close();
    tableSource.close();
  }
}
