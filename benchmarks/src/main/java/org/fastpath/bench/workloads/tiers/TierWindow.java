package org.fastpath.bench.workloads.tiers;

import static org.fastpath.bench.engine.Figure.low;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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
record TierWindow(List<Tier> volumes, List<Reading> readings, Usage servers, Window clients) {
  /** The resource at its limit. Clients may also wait for syncs, memstores or locks. */
  static final List<String> LIMITS = List.of("CPU", "device", "waiting");

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
          low("memstore.most", "MB", window -> window.most(Reading::memstoreBytes) / MEGABYTE),
          low("updates-blocked", "ms", window -> window.grown(Reading::blockedMillis)),
          low("refused", "requests", window -> window.grown(Reading::refusedRequests)),
          low(
              "datanode.blocked-threads.most",
              "threads",
              window -> window.most(Reading::blockedThreads)),
          low("gc.pause", "ms/min", window -> Window.GC_PAUSED.of(window.clients)),
          low("gc.longest", "ms", window -> Window.GC_LONGEST.of(window.clients)),
          low("device.busiest", "%", TierWindow::busiestPercent),
          low("written.share.hdd", "%", TierWindow::shareOfDisks));

  private Reading first() {
    return readings.get(0);
  }

  private Reading last() {
    return readings.get(readings.size() - 1);
  }

  /**
   * Returns one of {@link #LIMITS}. The machine's CPU counts from 90 % on, whatever devices do. A
   * device counts from 80 % on, because a single writer leaves it idle at times.
   */
  String limit() {
    if (cpuPercent() >= 90) {
      return "CPU";
    }
    return busiestPercent() >= 80 ? "device" : "waiting";
  }

  private double cpuPercent() {
    return last().machine().percentSince(first().machine());
  }

  private double busiestPercent() {
    return IntStream.range(0, last().devices().size()).mapToDouble(this::busy).max().orElse(0);
  }

  private double busy(int device) {
    return last().busyPercent(device, first());
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
        String name = tier.label;
        figures.add(
            low(
                "device." + name + ".busy",
                "%",
                window -> window.busy(tier, window.first(), window.last())));
        figures.add(low("written." + name, "MB", window -> window.written(tier)));
        figures.add(
            low("read." + name, "MB", window -> window.megabytes(tier, DeviceUse::readBytes)));
      }
    }
    for (int i = volumes.size(); i < last().devices().size(); i++) {
      int device = i;
      String name = "device.controller-" + (i - volumes.size() + 1) + ".busy";
      figures.add(low(name, "%", window -> window.busy(device)));
    }
    return figures;
  }

  private double cores(CpuTime process) {
    return process.totalNanos() / (double) servers.wallNanos();
  }

  private double most(ToLongFunction<Reading> value) {
    return readings.stream().mapToLong(value).max().orElse(0);
  }

  private double grown(ToLongFunction<Reading> counter) {
    return counter.applyAsLong(last()) - counter.applyAsLong(first());
  }

  /** Returns the mean use of a tier's volumes from one reading to another, in percent. */
  private double busy(Tier tier, Reading from, Reading to) {
    return devices(tier).mapToDouble(i -> to.busyPercent(i, from)).average().orElse(0);
  }

  private double megabytes(Tier tier, ToLongFunction<DeviceUse> counter) {
    return devices(tier)
            .mapToObj(i -> last().devices().get(i).since(first().devices().get(i)))
            .mapToLong(counter)
            .sum()
        / MEGABYTE;
  }

  private double written(Tier tier) {
    return megabytes(tier, DeviceUse::writtenBytes);
  }

  private double shareOfDisks() {
    double all = Stream.of(Tier.values()).mapToDouble(this::written).sum();
    return all == 0 ? 0 : 100 * written(Tier.HDD) / all;
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
        limit());
  }

  /**
   * The counters of the cluster at one time.
   *
   * @param millis the time, in milliseconds since 1970
   * @param devices use of the volumes, then of the controllers
   * @param blockedMillis time for which the RegionServer has blocked updates because of memstores
   * @param refusedRequests requests that it has refused with RegionTooBusyException
   * @param blockedThreads threads of the DataNode that wait for a monitor
   */
  record Reading(
      long millis,
      List<DeviceUse> devices,
      MachineCpu machine,
      long memstoreBytes,
      long blockedMillis,
      long refusedRequests,
      long blockedThreads) {

    /** Busy and total CPU time of all cores since the machine started, in ticks of the kernel. */
    record MachineCpu(long busy, long all) {
      /** Parses the columns user, nice, system, idle, iowait, irq, softirq and steal. */
      static MachineCpu parse(String line) {
        String[] columns = line.split("\\s+");
        long[] ticks = Stream.of(columns).skip(1).limit(8).mapToLong(Long::parseLong).toArray();
        long all = LongStream.of(ticks).sum();
        return new MachineCpu(all - ticks[3] - ticks[4], all);
      }

      /** Returns the busy part of all cores since {@code earlier}, in percent. */
      double percentSince(MachineCpu earlier) {
        return all == earlier.all ? 0 : 100.0 * (busy - earlier.busy) / (all - earlier.all);
      }
    }

    /** Returns the part of the time since {@code earlier} in which it was busy, in percent. */
    double busyPercent(int device, Reading earlier) {
      double nanos = 1e6 * (millis - earlier.millis);
      long busy = devices.get(device).since(earlier.devices.get(device)).busyNanos();
      return nanos == 0 ? 0 : 100 * busy / nanos;
    }
  }
}
