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
 * What RegionServers report of their regions every few seconds: how often regions are read, as an
 * average over the last rounds that forgets slowly, and whether their files are the same as before.
 *
 * <p>HDFS's access times would tell of each file, but not what is needed: they change when a file
 * is opened, once an hour at most, and a RegionServer opens a file once and reads it for weeks,
 * while each compaction opens all that it reads. For one thread.
 */
final class RegionReads {
  private static final double MILLIS_PER_SECOND = 1000;

  private final double memoryMillis;
  private Map<String, Count> counts = new HashMap<>();

  /** What a server said at a time of its own, and what followed from it. */
  private record Count(
      String server, long reads, long millis, OptionalDouble perSecond, long files) {}

  /**
   * None are known.
   *
   * @param memoryMillis the time in which an average loses all but 1/e of what it was
   */
  RegionReads(long memoryMillis) {
    this.memoryMillis = memoryMillis;
  }

  /** Takes the latest reports in. Regions that are in none are forgotten. */
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
    if (last == null || !last.server().equals(server) || reads < last.reads()) {
      // It moved, and is counted anew; what it was read until then still says something.
      OptionalDouble known = last == null ? OptionalDouble.empty() : last.perSecond();
      latest.put(name, new Count(server, reads, millis, known, files(region)));
    } else if (millis <= last.millis()) {
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

  /** Of what its last report says of its files; empty if no server reports of it. */
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

  /** Requests a second of a region; empty as long as it was not seen in two reports. */
  OptionalDouble perSecond(String encodedRegion) {
    Count count = counts.get(encodedRegion);
    return count == null ? OptionalDouble.empty() : count.perSecond();
  }
}
