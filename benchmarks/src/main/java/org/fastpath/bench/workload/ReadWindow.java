package org.fastpath.bench.workload;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What happened between two readings of a RegionServer under a steady load.
 *
 * <p>The hit ratio is taken from the blocks that were read from HDFS, because HBase's own figure
 * does not mean the same on both sides: {@code CombinedBlockCache} looks a block up again under a
 * lock after a miss, and stock HBase counts that miss twice.
 *
 * @param begin the first reading
 * @param end the second
 * @param latencies of the requests that ended in between, in nanoseconds
 * @param collections pauses for garbage collection in between
 */
record ReadWindow(
    ServerReading begin, ServerReading end, Histogram latencies, List<GcEvent> collections) {
  private static final int HISTOGRAM_DIGITS = 2;
  private static final double PERCENT = 100;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double MILLIS_PER_MINUTE = 6e4;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MEGABYTE = 1L << 20;

  /** Keeps those of the collections that fall into the window. */
  ReadWindow {
    collections = GcEvent.between(collections, begin.millis(), end.millis());
  }

  /** Windows that followed one another, as one. */
  static ReadWindow together(List<ReadWindow> windows) {
    Histogram latencies = new Histogram(HISTOGRAM_DIGITS);
    List<GcEvent> collections = new ArrayList<>();
    for (ReadWindow window : windows) {
      latencies.add(window.latencies());
      collections.addAll(window.collections());
    }
    return new ReadWindow(
        windows.get(0).begin(), windows.get(windows.size() - 1).end(), latencies, collections);
  }

  private long rows() {
    return end.rows() - begin.rows();
  }

  private long millis() {
    return end.millis() - begin.millis();
  }

  double rowsPerSecond() {
    return rows() * MILLIS_PER_SECOND / millis();
  }

  double cpuMicrosPerRow() {
    return end.cpu().minus(begin.cpu()).totalNanos() / NANOS_PER_MICRO / rows();
  }

  /** The part of gets whose block was in the cache; each get looks for one block of data. */
  double pointHitPercent() {
    double reads = end.pointBlockReads() - begin.pointBlockReads();
    return PERCENT * (1 - reads / rows());
  }

  /** The part of all look-ups of blocks that found them in the cache. */
  double hitPercent() {
    return percent(end.l2Hits() - begin.l2Hits(), end.blockReads() - begin.blockReads());
  }

  /** What HBase's metrics make of it. */
  double shownHitPercent() {
    return percent(end.l2Hits() - begin.l2Hits(), end.l2Misses() - begin.l2Misses());
  }

  private static double percent(double hits, double misses) {
    return hits + misses == 0 ? 0 : PERCENT * hits / (hits + misses);
  }

  double latencyMillis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  /** What disks have read for the RegionServer. */
  double diskMegabytesPerSecond() {
    return (end.diskBytes() - begin.diskBytes()) / MEGABYTE * MILLIS_PER_SECOND / millis();
  }

  double collectionsPerMinute() {
    return collections.size() * MILLIS_PER_MINUTE / millis();
  }

  double pausedMillisPerMinute() {
    return collections.stream().mapToDouble(GcEvent::pauseMillis).sum()
        * MILLIS_PER_MINUTE
        / millis();
  }

  /** The longest pause; none is 0. */
  double longestPauseMillis() {
    return collections.stream().mapToDouble(GcEvent::pauseMillis).max().orElse(0);
  }

  private double allocatedBytes() {
    return GcEvent.allocated(begin.heapBytes(), end.heapBytes(), collections);
  }

  double allocatedMegabytesPerSecond() {
    return allocatedBytes() / MEGABYTE * MILLIS_PER_SECOND / millis();
  }

  double allocatedBytesPerRow() {
    return allocatedBytes() / rows();
  }
}
