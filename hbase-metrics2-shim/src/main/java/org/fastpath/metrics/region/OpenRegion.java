package org.fastpath.metrics.region;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;

/**
 * A region that is open here: its pseudo-source, and its latencies while it is among those that
 * have them. Changed by {@link RegionRegistry} only, one thread at a time.
 *
 * <p>Memory: 0.7 KB, and {@link RegionHistograms}.
 */
final class OpenRegion {
  private final Region region;
  private final long[] countsAtOpen = new long[RegionCount.values().length];
  private volatile RegionHistograms histograms;
  private Registration registration;
  private long requestsAtRanking;

  OpenRegion(Region region) {
    this.region = region;
  }

  Region region() {
    return region;
  }

  TableName table() {
    return region.getRegionInfo().getTable();
  }

  /** The encoded name. */
  String name() {
    return region.getRegionInfo().getEncodedName();
  }

  /** Null while no latencies are taken. */
  RegionHistograms histograms() {
    return histograms;
  }

  /**
   * Begins to count for the table. A region that is closed and opened on the same server keeps its
   * requests in HBase's counters; those from before are in the table's sum already.
   */
  void opened() {
    System.arraycopy(RegionCount.allOf(region), 0, countsAtOpen, 0, countsAtOpen.length);
    requestsAtRanking = requests();
  }

  /** What was counted since it was opened. */
  long sinceOpen(RegionCount count) {
    return count.of(region) - countsAtOpen[count.ordinal()];
  }

  /** Requests since the last call. */
  long newRequests() {
    long now = requests();
    long more = now - requestsAtRanking;
    requestsAtRanking = now;
    return more;
  }

  private long requests() {
    return RegionCount.READ.of(region) + RegionCount.WRITE.of(region);
  }

  /** Shows the counts, and latencies that the table then has too. */
  void show(AggregateSource source, TableMetrics table, boolean withHistograms) {
    SourceBuilder builder =
        source.pseudoSource(table().getNamespaceAsString(), table().getQualifierAsString(), name());
    for (RegionCount count : RegionCount.values()) {
      builder.counter(count.metric(), count.description(), () -> count.of(region));
    }
    RegionHistograms fresh = withHistograms ? new RegionHistograms(builder) : null;
    registration = builder.register();
    if (fresh != null) {
      table.add(fresh);
      histograms = fresh;
    }
  }

  /** Shows it no longer; gives the histograms it had, or null. */
  RegionHistograms hide() {
    RegionHistograms old = histograms;
    histograms = null;
    registration.close();
    return old;
  }
}
