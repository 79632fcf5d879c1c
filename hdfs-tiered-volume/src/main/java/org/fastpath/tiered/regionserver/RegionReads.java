package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Collects the reports of RegionServers about their regions: the rate of reads, as a slowly
 * decaying average over rounds, and changes of their files.
 *
 * <p>HDFS's access times do not help. They change when a file is opened, at most once an hour. A
 * RegionServer opens a file once and reads it for weeks, while each compaction opens all its
 * inputs. Not thread-safe.
 */
final class RegionReads {
  private static final double MILLIS_PER_SECOND = 1000;

  private final double memoryMillis;
  private Map<String, Count> counts = new HashMap<>();

  /** A server's report at a time of its clock, and the rate derived from it. */
  private record Count(
      String server, long reads, long millis, OptionalDouble perSecond, long files) {}

  /**
   * Makes an empty collection.
   *
   * @param memoryMillis time in which an average decays to 1/e
   */
  RegionReads(long memoryMillis) {
    this.memoryMillis = memoryMillis;
  }

  /** Adds the latest reports. Regions without a report are dropped. */
  void update(ClusterMetrics cluster) {
    Map<String, Count> latest = new HashMap<>();
    cluster
        .getLiveServerMetrics()
        .forEach(
            (server, metrics) ->
                metrics
                    .getRegionMetrics()
                    .values()
                    .forEach(region -> add(latest, server.toString(), metrics, region)));
    counts = latest;
  }

  private void add(
      Map<String, Count> latest, String server, ServerMetrics metrics, RegionMetrics region) {
    String name = RegionInfo.encodeRegionName(region.getRegionName());
    long reads = region.getReadRequestCount();
    long millis = metrics.getReportTimestamp();
    Count last = counts.get(name);
    if (last == null
        || !last.server().equals(server)
        || reads < last.reads()
        || millis < last.millis()) {
      // The region moved, or the server's clock was set back. The earlier rate still counts.
      OptionalDouble known = last == null ? OptionalDouble.empty() : last.perSecond();
      latest.put(name, new Count(server, reads, millis, known, files(region)));
    } else if (millis == last.millis()) {
      latest.put(name, last);
    } else {
      long elapsed = millis - last.millis();
      double rate = (reads - last.reads()) * MILLIS_PER_SECOND / elapsed;
      double weight = -Math.expm1(-elapsed / memoryMillis);
      double average = last.perSecond().orElse(rate);
      latest.put(
          name,
          new Count(
              server,
              reads,
              millis,
              OptionalDouble.of(average + weight * (rate - average)),
              files(region)));
    }
  }

  /** Returns a fingerprint of the region's files in its last report; empty without a report. */
  OptionalLong fingerprint(String encodedRegion) {
    Count count = counts.get(encodedRegion);
    return count == null ? OptionalLong.empty() : OptionalLong.of(count.files());
  }

  private static long files(RegionMetrics region) {
    return Objects.hash(
        region.getStoreFileCount(),
        region.getStoreFileSize().getLongValue(),
        region.getCompletedSequenceId(),
        region.getStoreSequenceId().values().stream().mapToLong(Long::longValue).sum(),
        region.getLastMajorCompactionTimestamp());
  }

  /** Returns the requests a second of a region; empty until two reports contain it. */
  OptionalDouble perSecond(String encodedRegion) {
    Count count = counts.get(encodedRegion);
    return count == null ? OptionalDouble.empty() : count.perSecond();
  }
}
