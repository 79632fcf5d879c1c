package org.fastpath.metrics.region;

import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.regionserver.Region;

/** The counters that HBase keeps per region. Showing them adds no cost to a request. */
enum RegionCount {
  READ("readRequestCount", "Rows read by gets and scans", Region::getReadRequestsCount),
  FILTERED(
      "filteredReadRequestCount",
      "Rows that a filter removed entirely",
      Region::getFilteredReadRequestsCount),
  WRITE(
      "writeRequestCount", "Puts, deletes, increments and appends", Region::getWriteRequestsCount),
  BLOCKED(
      "blockedRequestCount",
      "Writes refused because the memstore was too large",
      Region::getBlockedRequestsCount);

  private final String metric;
  private final String description;
  private final ToLongFunction<Region> reader;

  RegionCount(String metric, String description, ToLongFunction<Region> reader) {
    this.metric = metric;
    this.description = description;
    this.reader = reader;
  }

  String metric() {
    return metric;
  }

  String description() {
    return description;
  }

  long of(Region region) {
    return reader.applyAsLong(region);
  }

  /** Returns all counts of a region, by ordinal. */
  static long[] allOf(Region region) {
    long[] counts = new long[values().length];
    for (RegionCount count : values()) {
      counts[count.ordinal()] = count.of(region);
    }
    return counts;
  }
}
