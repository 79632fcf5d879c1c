package org.fastpath.bench.workloads.tiers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.cluster.GcEvent;
import org.fastpath.cluster.CpuTime;
import org.fastpath.cluster.DeviceUse;

/**
 * The activity of clients and servers in a window between its first and its last reading.
 *
 * @param volumes the tier of each volume; devices behind these are controllers
 * @param readings at least two
 * @param rows rows that clients have written
 * @param nanos latencies of requests
 * @param collections pauses of the RegionServer
 */
record TierWindow(
    List<Tier> volumes,
    List<TierReading> readings,
    long rows,
    Histogram nanos,
    List<GcEvent> collections) {
  /** From this value on, the machine's CPU counts as the limit, whatever devices do. */
  static final double CPU_LIMIT_PERCENT = 90;

  /** From this value on, a device counts as saturated; a single writer leaves it idle at times. */
  static final double DEVICE_LIMIT_PERCENT = 80;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double MILLIS_PER_MINUTE = 60e3;
  private static final double MEGABYTE = 1 << 20;

  private static final List<Figure<TierWindow>> COMMON =
      List.of(
          Figure.high("throughput", "rows/s", TierWindow::rate),
          low("latency.mean", "ms", TierWindow::meanMillis),
          low("latency.p50", "ms", window -> window.quantileMillis(50)),
          low("latency.p99", "ms", window -> window.quantileMillis(99)),
          low("latency.p999", "ms", window -> window.quantileMillis(99.9)),
          low("cpu.machine", "%", TierWindow::cpuPercent),
          low("cpu.regionserver", "cores", window -> window.cores(TierReading::regionServer)),
          low("cpu.datanode", "cores", window -> window.cores(TierReading::dataNode)),
          low("memstore.most", "MB", window -> window.most(TierReading::memstoreBytes) / MEGABYTE),
          low("updates-blocked", "ms", window -> window.grown(TierReading::blockedMillis)),
          low("refused", "requests", window -> window.grown(TierReading::refusedRequests)),
          low(
              "datanode.blocked-threads.most",
              "threads",
              window -> window.most(TierReading::blockedThreads)),
          low(
              "gc.pause",
              "ms/min",
              window -> window.pauses().sum() * MILLIS_PER_MINUTE / window.millis()),
          low("gc.longest", "ms", window -> window.pauses().max().orElse(0)),
          low("device.busiest", "%", TierWindow::busiestPercent),
          low("written.share.hdd", "%", TierWindow::shareOfDisks));

  /** The resource at its limit. */
  enum Limit {
    CPU("CPU"),
    DEVICE("device"),
    /** Clients waited for other resources: syncs, memstores, locks. */
    WAITING("waiting");

    private final String label;

    Limit(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private TierReading first() {
    return readings.get(0);
  }

  private TierReading last() {
    return readings.get(readings.size() - 1);
  }

  private double millis() {
    return last().millis() - first().millis();
  }

  Limit limit() {
    if (cpuPercent() >= CPU_LIMIT_PERCENT) {
      return Limit.CPU;
    }
    return busiestPercent() >= DEVICE_LIMIT_PERCENT ? Limit.DEVICE : Limit.WAITING;
  }

  /** Returns the use of all cores in percent. */
  double cpuPercent() {
    return last().machine().percentSince(first().machine());
  }

  /** Returns the use of the busiest device in percent. */
  double busiestPercent() {
    return IntStream.range(0, last().devices().size()).mapToDouble(this::busy).max().orElse(0);
  }

  private double busy(int device) {
    return last().busyPercent(first(), device);
  }

  double rate() {
    return rows / (millis() / MILLIS_PER_SECOND);
  }

  double meanMillis() {
    return nanos.getMean() / NANOS_PER_MILLI;
  }

  double quantileMillis(double percent) {
    return nanos.getValueAtPercentile(percent) / NANOS_PER_MILLI;
  }

  /** Returns the figures of the window's devices and tiers. */
  List<Figure<TierWindow>> figures() {
    List<Figure<TierWindow>> figures = new ArrayList<>(COMMON);
    for (Tier tier : Tier.values()) {
      if (volumes.contains(tier)) {
        figures.add(low("device." + tier.label() + ".busy", "%", window -> window.busy(tier)));
        figures.add(
            low(
                "written." + tier.label(),
                "MB",
                window -> window.bytes(tier, DeviceUse::writtenBytes) / MEGABYTE));
        figures.add(
            low(
                "read." + tier.label(),
                "MB",
                window -> window.bytes(tier, DeviceUse::readBytes) / MEGABYTE));
      }
    }
    for (int i = volumes.size(); i < last().devices().size(); i++) {
      int device = i;
      String name = "device.controller-" + (i - volumes.size() + 1) + ".busy";
      figures.add(low(name, "%", window -> window.busy(device)));
    }
    return figures;
  }

  private static Figure<TierWindow> low(
      String name, String unit, ToDoubleFunction<TierWindow> value) {
    return Figure.low(name, unit, value);
  }

  private double cores(Function<TierReading, CpuTime> process) {
    long nanos = process.apply(last()).minus(process.apply(first())).totalNanos();
    return nanos / NANOS_PER_MILLI / millis();
  }

  private double grown(ToLongFunction<TierReading> counter) {
    return counter.applyAsLong(last()) - counter.applyAsLong(first());
  }

  private double most(ToLongFunction<TierReading> value) {
    return readings.stream().mapToLong(value).max().orElse(0);
  }

  private DoubleStream pauses() {
    return collections.stream().mapToDouble(GcEvent::pauseMillis);
  }

  private double busy(Tier tier) {
    return Arrays.stream(devices(tier)).mapToDouble(this::busy).average().orElse(0);
  }

  private double bytes(Tier tier, ToLongFunction<DeviceUse> what) {
    return Arrays.stream(devices(tier)).mapToLong(i -> what.applyAsLong(use(i))).sum();
  }

  private double shareOfDisks() {
    double all =
        Stream.of(Tier.values()).mapToDouble(tier -> bytes(tier, DeviceUse::writtenBytes)).sum();
    return all == 0 ? 0 : 100 * bytes(Tier.HDD, DeviceUse::writtenBytes) / all;
  }

  private int[] devices(Tier tier) {
    return IntStream.range(0, volumes.size()).filter(i -> volumes.get(i) == tier).toArray();
  }

  private DeviceUse use(int device) {
    return last().devices().get(device).since(first().devices().get(device));
  }

  /** Returns the mean use of a tier's volumes from each reading to the next, in percent. */
  List<Double> busyOverTime(Tier tier) {
    return between(
        (from, to) ->
            Arrays.stream(devices(tier))
                .mapToDouble(i -> to.busyPercent(from, i))
                .average()
                .orElse(0));
  }

  /** Returns the megabytes of all memstores at each reading but the first. */
  List<Double> memstoreOverTime() {
    return between((from, to) -> to.memstoreBytes() / MEGABYTE);
  }

  /** Returns seconds since the beginning, of each reading but the first. */
  List<Double> seconds() {
    return between((from, to) -> (to.millis() - first().millis()) / MILLIS_PER_SECOND);
  }

  private interface Step {
    double value(TierReading from, TierReading to);
  }

  private List<Double> between(Step step) {
    return IntStream.range(1, readings.size())
        .mapToObj(i -> step.value(readings.get(i - 1), readings.get(i)))
        .toList();
  }

  /** Returns one line for people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,.0f rows/s, p99 %,.0f ms; busiest device %.0f %%, CPU %.0f %%: limited by %s",
        rate(),
        quantileMillis(99),
        busiestPercent(),
        cpuPercent(),
        limit().label());
  }
}
