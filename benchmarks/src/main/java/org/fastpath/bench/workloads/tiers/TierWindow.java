package org.fastpath.bench.workloads.tiers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.cluster.CpuTime;
import org.fastpath.cluster.DeviceUse;

/**
 * The activity of clients, servers and devices between the first and the last reading.
 *
 * @param volumes the tier of each volume; devices behind these are controllers
 * @param readings at least two
 * @param servers the cost on the servers
 * @param clients the same time for clients, and pauses of the RegionServer
 */
record TierWindow(List<Tier> volumes, List<TierReading> readings, Usage servers, Window clients) {
  /** From this value on, the machine's CPU counts as the limit, whatever devices do. */
  static final double CPU_LIMIT_PERCENT = 90;

  /** From this value on, a device counts as saturated; a single writer leaves it idle at times. */
  static final double DEVICE_LIMIT_PERCENT = 80;

  private static final double MEGABYTE = 1 << 20;

  private static final List<Figure<TierWindow>> COMMON =
      List.of(
          Figure.high("throughput", "rows/s", TierWindow::rate),
          low("latency.mean", "ms", TierWindow::meanMillis),
          low("latency.p50", "ms", window -> window.clients.latencyMillis(50)),
          low("latency.p99", "ms", window -> window.clients.latencyMillis(99)),
          low("latency.p999", "ms", window -> window.clients.latencyMillis(99.9)),
          low("cpu.machine", "%", TierWindow::cpuPercent),
          low("cpu.regionserver", "cores", window -> window.cores(window.servers.regionServer())),
          low("cpu.datanode", "cores", window -> window.cores(window.servers.dataNode())),
          low("memstore.most", "MB", window -> window.most(TierReading::memstoreBytes) / MEGABYTE),
          low("updates-blocked", "ms", window -> window.grown(TierReading::blockedMillis)),
          low("refused", "requests", window -> window.grown(TierReading::refusedRequests)),
          low(
              "datanode.blocked-threads.most",
              "threads",
              window -> window.most(TierReading::blockedThreads)),
          low("gc.pause", "ms/min", window -> Window.GC_PAUSED.of(window.clients)),
          low("gc.longest", "ms", window -> Window.GC_LONGEST.of(window.clients)),
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
    return clients.rowsPerSecond();
  }

  double meanMillis() {
    return clients.latencies().getMean() / 1e6;
  }

  /** Returns the figures of the window's devices and tiers. */
  List<Figure<TierWindow>> figures() {
    List<Figure<TierWindow>> figures = new ArrayList<>(COMMON);
    for (Tier tier : Tier.values()) {
      if (volumes.contains(tier)) {
        String name = tier.label();
        figures.add(low("device." + name + ".busy", "%", window -> window.busy(tier)));
        figures.add(megabytes("written." + name, tier, DeviceUse::writtenBytes));
        figures.add(megabytes("read." + name, tier, DeviceUse::readBytes));
      }
    }
    for (int i = volumes.size(); i < last().devices().size(); i++) {
      int device = i;
      String name = "device.controller-" + (i - volumes.size() + 1) + ".busy";
      figures.add(low(name, "%", window -> window.busy(device)));
    }
    return figures;
  }

  private static Figure<TierWindow> megabytes(
      String name, Tier tier, ToLongFunction<DeviceUse> what) {
    return low(name, "MB", window -> window.bytes(tier, what) / MEGABYTE);
  }

  private static Figure<TierWindow> low(
      String name, String unit, ToDoubleFunction<TierWindow> value) {
    return Figure.low(name, unit, value);
  }

  private double cores(CpuTime process) {
    return process.totalNanos() / (double) servers.wallNanos();
  }

  private double most(ToLongFunction<TierReading> value) {
    return readings.stream().mapToLong(value).max().orElse(0);
  }

  private double grown(ToLongFunction<TierReading> counter) {
    return counter.applyAsLong(last()) - counter.applyAsLong(first());
  }

  private double busy(Tier tier) {
    return busy(tier, first(), last());
  }

  /** Returns the mean use of a tier's volumes from one reading to another, in percent. */
  private double busy(Tier tier, TierReading from, TierReading to) {
    return devices(tier).mapToDouble(i -> to.busyPercent(from, i)).average().orElse(0);
  }

  private double bytes(Tier tier, ToLongFunction<DeviceUse> what) {
    return devices(tier)
        .mapToObj(i -> last().devices().get(i).since(first().devices().get(i)))
        .mapToLong(what)
        .sum();
  }

  private double shareOfDisks() {
    double all =
        Stream.of(Tier.values()).mapToDouble(tier -> bytes(tier, DeviceUse::writtenBytes)).sum();
    return all == 0 ? 0 : 100 * bytes(Tier.HDD, DeviceUse::writtenBytes) / all;
  }

  private IntStream devices(Tier tier) {
    return IntStream.range(0, volumes.size()).filter(i -> volumes.get(i) == tier);
  }

  /** Returns the mean use of a tier's volumes from each reading to the next, in percent. */
  List<Double> busyOverTime(Tier tier) {
    return IntStream.range(1, readings.size())
        .mapToObj(i -> busy(tier, readings.get(i - 1), readings.get(i)))
        .toList();
  }

  /** Returns the megabytes of all memstores at each reading but the first. */
  List<Double> memstoreOverTime() {
    return readings.stream().skip(1).map(at -> at.memstoreBytes() / MEGABYTE).toList();
  }

  /** Returns seconds since the beginning, of each reading but the first. */
  List<Double> seconds() {
    return readings.stream().skip(1).map(at -> (at.millis() - first().millis()) / 1e3).toList();
  }

  /** Returns one line for people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,.0f rows/s, p99 %,.0f ms; busiest device %.0f %%, CPU %.0f %%: limited by %s",
        rate(),
        clients.latencyMillis(99),
        busiestPercent(),
        cpuPercent(),
        limit().label());
  }
}
