package org.fastpath.metrics.region;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;

/**
 * A region that is open here, with its pseudo-source and, if it has them, its latencies. Only
 * {@link RegionRegistry} changes it, one thread at a time.
 *
 * <p>Memory: 0.7 KB, and {@link RegionHistograms}.
 */
final class OpenRegion {
  private final Region region;
  private final long[] countsAtOpen = new long[RegionCount.values().length];
  private volatile RegionHistograms histograms;
  private Registration registration = () -> {};
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

  /** Returns the encoded name. */
  String name() {
    return region.getRegionInfo().getEncodedName();
  }

  /** Returns the latencies; null while none are taken. */
  RegionHistograms histograms() {
    return histograms;
  }

  /**
   * Begins to count for the table. If a region is reopened on the same server, HBase's counters
   * keep its earlier requests. The table's sum already has those.
   */
  void opened() {
    System.arraycopy(RegionCount.allOf(region), 0, countsAtOpen, 0, countsAtOpen.length);
    requestsAtRanking = requests();
  }

  /** Returns the count since the region was opened. */
  long sinceOpen(RegionCount count) {
    return count.of(region) - countsAtOpen[count.ordinal()];
  }

  /** Returns the requests since the last call. */
  long newRequests() {
    long now = requests();
    long more = now - requestsAtRanking;
    requestsAtRanking = now;
    return more;
  }

  private long requests() {
    return RegionCount.READ.of(region) + RegionCount.WRITE.of(region);
  }

  /** Shows the counts, and latencies if asked. The table then includes these latencies. */
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

  /** Stops showing the region. Returns its histograms, or null. */
  RegionHistograms hide() {
    RegionHistograms old = histograms;
    histograms = null;
    registration.close();
    return old;
  }
}
