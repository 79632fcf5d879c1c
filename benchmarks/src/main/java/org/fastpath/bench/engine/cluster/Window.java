package org.fastpath.bench.engine.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Run;
import org.fastpath.cluster.GcEvent;

/**
 * The activity of a RegionServer and its clients in a period, which may have gaps.
 *
 * <p>The hit ratio is computed from the blocks that were read from HDFS. HBase's own figure has
 * different meanings on both variants: after a miss, {@code CombinedBlockCache} looks a block up
 * again under a lock. Stock HBase counts that miss twice.
 *
 * @param beginMillis its start, in milliseconds since 1970
 * @param nanos its duration without gaps
 * @param rows rows that the clients got or made the server read
 * @param allocatedBytes growth of its heap between garbage collections
 * @param latencies of the requests that ended in it, in nanoseconds
 */
public record Window(
    long beginMillis,
    long endMillis,
    long nanos,
    long rows,
    long cpuNanos,
    double allocatedBytes,
    Counters counters,
    Histogram latencies,
    List<GcEvent> collections) {
  private static final double MEGABYTE = 1L << 20;

  public static final Figure<Window> RATE = Figure.high("rate", "rows/s", Window::rowsPerSecond);

  /** CPU time of the RegionServer per row, with parallel work but without the JIT compiler. */
  public static final Figure<Window> CPU =
      Figure.low("cpu", "µs/row", window -> window.cpuNanos / 1e3 / window.rows);

  public static final Figure<Window> P50 = latency("latency.p50", 50);
  public static final Figure<Window> P99 = latency("latency.p99", 99);
  public static final Figure<Window> P999 = latency("latency.p99.9", 99.9);

  public static final Figure<Window> ALLOCATION =
      Figure.low("allocation.row", "B/row", window -> window.allocatedBytes / window.rows);

  /** The hit ratio of all look-ups in the cache. */
  public static final Figure<Window> HIT =
      Figure.high(
          "hit", "%", window -> percent(window.counters.l2Hits, window.counters.blockReads));

  /** The hit ratio of gets, each of which looks up one data block. */
  public static final Figure<Window> POINT_HIT =
      Figure.high(
          "hit.gets",
          "%",
          window -> 100 * (1 - (double) window.counters.pointBlockReads / window.rows));

  public static final Figure<Window> GC_PAUSED =
      Figure.low("gc.paused", "ms/min", window -> window.pauses().sum() * 60 / window.seconds());
  public static final Figure<Window> GC_LONGEST =
      Figure.low("gc.longest", "ms", window -> window.pauses().max().orElse(0));

  public static final Figure<Window> DISK =
      Figure.low("disk", "MB/s", window -> window.counters.diskBytes / MEGABYTE / window.seconds());

  /** Rate, CPU time, latencies and garbage collection. */
  public static final List<Figure<Window>> USUAL =
      List.of(RATE, CPU, P50, P99, P999, ALLOCATION, GC_PAUSED, GC_LONGEST);

  /**
   * Counters of a RegionServer.
   *
   * @param l2Hits hits in the second-level cache, counted by HBase
   * @param blockReads blocks read from HDFS, by any read
   * @param pointBlockReads blocks read by position, as gets do and streaming scans do not
   * @param diskBytes bytes that disks have read for the process: misses of the page cache, and the
   *     kernel's readahead
   */
  public record Counters(long l2Hits, long blockReads, long pointBlockReads, long diskBytes) {
    static final Counters NONE = new Counters(0, 0, 0, 0);

    Counters plus(Counters other, int times) {
      return new Counters(
          l2Hits + times * other.l2Hits,
          blockReads + times * other.blockReads,
          pointBlockReads + times * other.pointBlockReads,
          diskBytes + times * other.diskBytes);
    }
  }

  /** Keeps only the collections in the window. */
  public Window {
    collections = GcEvent.between(collections, beginMillis, endMillis);
  }

  public static Window together(List<Window> windows) {
    Histogram latencies = new Histogram(2);
    List<GcEvent> collections = new ArrayList<>();
    Counters counters = Counters.NONE;
    for (Window window : windows) {
      latencies.add(window.latencies);
      collections.addAll(window.collections);
      counters = counters.plus(window.counters, 1);
    }
    return new Window(
        windows.get(0).beginMillis,
        windows.get(windows.size() - 1).endMillis,
        windows.stream().mapToLong(Window::nanos).sum(),
        windows.stream().mapToLong(Window::rows).sum(),
        windows.stream().mapToLong(Window::cpuNanos).sum(),
        windows.stream().mapToDouble(Window::allocatedBytes).sum(),
        counters,
        latencies,
        collections);
  }

  private static Figure<Window> latency(String name, double percentile) {
    return Figure.low(name, "ms", window -> window.latencyMillis(percentile));
  }

  /** Draws a figure of consecutive windows over the time since their beginning. */
  public static void draw(
      Run run, String chart, String variant, Figure<Window> figure, List<Window> windows) {
    List<Double> values = windows.stream().map(figure::of).toList();
    run.line(chart, variant, "s", figure.unit(), seconds(windows), values);
  }

  /** Returns the seconds from the start of the first window to the end of each. */
  private static List<Double> seconds(List<Window> windows) {
    return windows.stream().map(window -> window.secondsAfter(windows.get(0))).toList();
  }

  public double seconds() {
    return nanos / 1e9;
  }

  /** Returns the seconds from the start of an earlier window to the end of this one. */
  public double secondsAfter(Window earlier) {
    return (endMillis - earlier.beginMillis) / 1e3;
  }

  public double rowsPerSecond() {
    return rows / seconds();
  }

  private static double percent(double hits, double misses) {
    return hits + misses == 0 ? 0 : 100 * hits / (hits + misses);
  }

  public double latencyMillis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }

  private DoubleStream pauses() {
    return collections.stream().mapToDouble(GcEvent::pauseMillis);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,.0f rows/s, %.1f µs/row, half of the requests within %.2f ms, 99 %% within %.2f ms",
        rowsPerSecond(),
        CPU.of(this),
        latencyMillis(50),
        latencyMillis(99));
  }
}
