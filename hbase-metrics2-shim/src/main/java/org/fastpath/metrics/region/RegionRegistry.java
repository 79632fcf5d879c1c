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
 * The regions that are open in this JVM, with their tables, and who of them has latencies.
 *
 * <p>Up to the limit every region has them from its opening on. Beyond it those have them that
 * served the most requests since the last ranking; a region that has them already counts twice, so
 * that two alike do not change places every minute. Regions are ranked when a snapshot is taken, at
 * most once a minute.
 *
 * <p>Opening, closing and ranking are done under a lock. A snapshot never waits for it: it ranks if
 * the lock is free. No request ever needs it.
 *
 * <p>When a region was closed or lost its histograms, the table counts these in for a minute more:
 * its quantiles do not jump at a split, and a request that is just recording is not lost. A table
 * that has no region here any more is remembered for ten minutes: when its only region splits or is
 * opened again, its counters go on where they were.
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

  /** Histograms that are no longer a region's, and since when. */
  private record Left(TableMetrics table, RegionHistograms histograms, long nanos) {}

  private record Ranked(OpenRegion region, long weight) {}

  /**
   * A registry.
   *
   * @param limit how many regions have latencies
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
   * The one of this JVM, for all RegionServers in it; the first region to be opened decides by its
   * configuration. Null if HBase's code is not the verified code: then nothing is shown.
   *
   * @throws IllegalArgumentException when the configuration is wrong
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
            "FastpathRegionObserver", "What observes regions, be it their class or a coprocessor");
    builder.gauge("regionCount", "Regions open here", regions::size);
    builder.gauge("regionWithQuantilesCount", "Of these, with latencies", () -> withHistograms);
    builder.counter("failedHookCount", "Hooks that failed, unseen by HBase", FailedHooks::count);
    builder.register();
  }

  /**
   * What is known of a region, or a new object that is not shown yet. When HBase replaces the
   * coprocessors of an open region, the second observer is not told that the region is open and the
   * first one is not told to stop; so both share what is known.
   */
  OpenRegion of(Region region) {
    OpenRegion known = regions.get(region.getRegionInfo().getEncodedName());
    return known != null && known.region() == region ? known : new OpenRegion(region);
  }

  /** The region serves requests from now on. */
  void open(OpenRegion region) {
    locked(
        () -> {
          dropClosed();
          OpenRegion earlier = regions.put(region.name(), region);
          if (earlier == region) {
            return;
          }
          if (earlier != null) {
            leave(earlier);
          }
          region.opened();
          TableMetrics table = tables.computeIfAbsent(region.table(), TableMetrics::new);
          table.add(region, tableSource);
          show(region, withHistograms < limit);
        });
  }

  /** The region does not serve requests any more. Does nothing if it never did. */
  void close(OpenRegion region) {
    locked(
        () -> {
          if (regions.remove(region.name(), region)) {
            leave(region);
          }
          forget();
        });
  }

  /** Does what changes regions, tables or who has latencies. */
  void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private void leave(OpenRegion region) {
    hide(region);
    tables.get(region.table()).remove(region, nanoTime.getAsLong());
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
   * HBase does not always tell: not a {@code MeteredRegion}, whose closing has no method that is
   * the same in all versions, and not a coprocessor that was taken away from an open region. Looked
   * for at every snapshot, which so shows open regions only, and at every opening, so that closed
   * ones are not kept where nobody looks.
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

  /** Takes the sources away. */
  @Override
  public void close() {
    regionSource.close();
    tableSource.close();
  }
}
