package org.fastpath.bench.tiered;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.workload.GcEvent;
import org.fastpath.cluster.DeviceUse;

/**
 * What clients and servers did in a window of time, from readings of which the first is its
 * beginning and the last its end.
 *
 * @param volumes the tier of each volume; devices behind these are controllers
 * @param readings at least two
 * @param rows that clients have written
 * @param nanos latencies of requests
 * @param collections pauses of the RegionServer
 */
record TierWindow(
    List<Tier> volumes,
    List<TierReading> readings,
    long rows,
    Histogram nanos,
    List<GcEvent> collections) {
  /** From here on the machine's CPU is taken for the limit, whatever devices do. */
  static final double CPU_LIMIT_PERCENT = 90;

  /** From here on a device is taken for saturated: a single writer leaves it idle now and then. */
  static final double DEVICE_LIMIT_PERCENT = 80;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double MILLIS_PER_MINUTE = 60e3;
  private static final double MEGABYTE = 1 << 20;

  /** What was at its limit. */
  enum Limit {
    CPU("CPU"),
    DEVICE("device"),
    /** Clients waited, for what is neither: syncs, memstores, locks. */
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

  /** All cores. */
  double cpuPercent() {
    return last().machine().percentSince(first().machine());
  }

  /** The device that was occupied most. */
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

  /** All figures, by name and unit with a blank between them. */
  Map<String, Double> figures() {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("throughput rows/s", rate());
    figures.put("latency.mean ms", meanMillis());
    figures.put("latency.p50 ms", quantileMillis(50));
    figures.put("latency.p99 ms", quantileMillis(99));
    figures.put("latency.p999 ms", quantileMillis(99.9));
    figures.put("cpu.machine %", cpuPercent());
    figures.put(
        "cpu.regionserver cores",
        cores(last().regionServer().totalNanos(), first().regionServer().totalNanos()));
    figures.put(
        "cpu.datanode cores",
        cores(last().dataNode().totalNanos(), first().dataNode().totalNanos()));
    figures.put("memstore.most MB", most(TierReading::memstoreBytes) / MEGABYTE);
    figures.put("updates-blocked ms", (double) (last().blockedMillis() - first().blockedMillis()));
    figures.put(
        "refused requests", (double) (last().refusedRequests() - first().refusedRequests()));
    figures.put("datanode.blocked-threads.most threads", most(TierReading::blockedThreads));
    addPauses(figures);
    addDevices(figures);
    return figures;
  }

  private double cores(long end, long begin) {
    return (end - begin) / NANOS_PER_MILLI / millis();
  }

  private double most(ToLongFunction<TierReading> value) {
    return readings.stream().mapToLong(value).max().orElse(0);
  }

  private void addPauses(Map<String, Double> figures) {
    double[] pauses = collections.stream().mapToDouble(GcEvent::pauseMillis).toArray();
    figures.put("gc.pause ms/min", Arrays.stream(pauses).sum() * MILLIS_PER_MINUTE / millis());
    figures.put("gc.longest ms", Arrays.stream(pauses).max().orElse(0));
  }

  private void addDevices(Map<String, Double> figures) {
    figures.put("device.busiest %", busiestPercent());
    double[] bytes = new double[Tier.values().length];
    for (Tier tier : Tier.values()) {
      int[] own = devices(tier);
      bytes[tier.ordinal()] = Arrays.stream(own).mapToLong(i -> use(i).writtenBytes()).sum();
      if (own.length > 0) {
        figures.put(
            "device." + tier.label() + ".busy %",
            Arrays.stream(own).mapToDouble(this::busy).average().orElse(0));
        figures.put("written." + tier.label() + " MB", bytes[tier.ordinal()] / MEGABYTE);
        figures.put(
            "read." + tier.label() + " MB",
            Arrays.stream(own).mapToLong(i -> use(i).readBytes()).sum() / MEGABYTE);
      }
    }
    double all = Arrays.stream(bytes).sum();
    figures.put("written.share.hdd %", all == 0 ? 0 : 100 * bytes[Tier.HDD.ordinal()] / all);
    for (int i = volumes.size(); i < last().devices().size(); i++) {
      figures.put("device.controller-" + (i - volumes.size() + 1) + ".busy %", busy(i));
    }
  }

  private int[] devices(Tier tier) {
    return IntStream.range(0, volumes.size()).filter(i -> volumes.get(i) == tier).toArray();
  }

  private DeviceUse use(int device) {
    return last().devices().get(device).since(first().devices().get(device));
  }

  /** How busy the volumes of a tier were on average from each reading to the next, in percent. */
  List<Double> busyOverTime(Tier tier) {
    return between(
        (from, to) ->
            Arrays.stream(devices(tier))
                .mapToDouble(i -> to.busyPercent(from, i))
                .average()
                .orElse(0));
  }

  /** What all memstores held at each reading but the first, in megabytes. */
  List<Double> memstoreOverTime() {
    return between((from, to) -> to.memstoreBytes() / MEGABYTE);
  }

  /** Seconds since the beginning, of each reading but the first. */
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
}
