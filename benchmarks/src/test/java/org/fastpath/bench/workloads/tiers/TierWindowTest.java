package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.cluster.CpuTime;
import org.fastpath.cluster.DeviceUse;
import org.fastpath.cluster.GcEvent;
import org.junit.jupiter.api.Test;

/** Computes figures from readings. */
class TierWindowTest {
  private static final long SECOND = 1_000_000_000;
  private static final int MEGABYTE = 1 << 20;

  /** Returns the reading of an SSD, a disk and a controller after that many seconds. */
  private static TierWindow.Reading reading(int seconds, double ssd, double disk, int cpuPercent) {
    return new TierWindow.Reading(
        1000L * seconds,
        List.of(device(ssd, 3 * seconds), device(disk, seconds), device(ssd + disk, 4 * seconds)),
        new TierWindow.Reading.MachineCpu((long) cpuPercent * seconds, 100L * seconds),
        (seconds % 3) * (long) MEGABYTE,
        100L * seconds,
        seconds,
        seconds == 2 ? 7 : 0);
  }

  private static DeviceUse device(double busySeconds, int megabytes) {
    return new DeviceUse(0, (long) megabytes * MEGABYTE, (long) (busySeconds * SECOND));
  }

  private static TierWindow window(TierWindow.Reading... readings) {
    Histogram latencies = new Histogram(2);
    latencies.recordValue(2_000_000);
    latencies.recordValue(4_000_000);
    long millis = readings[readings.length - 1].millis();
    Window clients =
        new Window(
            0,
            millis,
            1_000_000 * millis,
            5000,
            0,
            0,
            new Window.Counters(0, 0, 0, 0),
            latencies,
            List.of(new GcEvent(1000, 30, 0, 0), new GcEvent(2000, 10, 0, 0)));
    Usage servers =
        new Usage(
            new CpuTime(500_000 * millis, 0), new CpuTime(0, 250_000 * millis), 1_000_000 * millis);
    return new TierWindow(List.of(Tier.SSD, Tier.HDD), List.of(readings), servers, clients);
  }

  private static TierCase of(String label) {
    return Experiment.named("case", label, TierCase.ALL, TierCase::label);
  }

  private static Map<String, Double> figures(TierWindow window) {
    Map<String, Double> figures = new HashMap<>();
    window.figures().forEach(one -> figures.put(one.name() + " " + one.unit(), one.of(window)));
    return figures;
  }

  @Test
  void figuresAreOfTheWholeWindow() {
    TierWindow window =
        window(reading(0, 0, 0, 0), reading(2, 0.5, 1.9, 50), reading(4, 1, 3.6, 50));
    Map<String, Double> figures = figures(window);
    assertThat(figures)
        .containsEntry("throughput rows/s", 1250.0)
        .containsEntry("cpu.machine %", 50.0)
        .containsEntry("cpu.regionserver cores", 0.5)
        .containsEntry("cpu.datanode cores", 0.25)
        .containsEntry("memstore.most MB", 2.0)
        .containsEntry("datanode.blocked-threads.most threads", 7.0)
        .containsEntry("gc.pause ms/min", 600.0)
        .containsEntry("gc.longest ms", 30.0)
        .containsEntry("updates-blocked ms", 400.0)
        .containsEntry("refused requests", 4.0)
        .containsEntry("written.ssd MB", 12.0)
        .containsEntry("written.hdd MB", 4.0)
        .containsEntry("written.share.hdd %", 25.0)
        .containsEntry("device.ssd.busy %", 25.0)
        .containsEntry("device.hdd.busy %", 90.0)
        .doesNotContainKey("device.ram.busy %");
    assertThat(figures.get("device.controller-1.busy %")).isCloseTo(115, within(0.1));
    assertThat(figures.get("latency.mean ms")).isCloseTo(3, within(0.05));
  }

  @Test
  void chartsAreFromReadingToReading() {
    TierWindow window =
        window(reading(0, 0, 0, 0), reading(2, 0.5, 1.9, 50), reading(4, 1, 3.6, 50));
    assertThat(window.seconds()).containsExactly(2.0, 4.0);
    assertThat(window.busyOverTime(Tier.SSD)).containsExactly(25.0, 25.0);
    assertThat(window.busyOverTime(Tier.HDD)).containsExactly(95.0, 85.0);
    assertThat(window.memstoreOverTime()).containsExactly(2.0, 1.0);
  }

  @Test
  void theLimitIsTheCpuBeforeAnyDevice() {
    assertThat(window(reading(0, 0, 0, 0), reading(4, 1, 3.9, 95)).limit()).isEqualTo("CPU");
    assertThat(window(reading(0, 0, 0, 0), reading(4, 0, 3.9, 60)).limit()).isEqualTo("device");
    assertThat(window(reading(0, 0, 0, 0), reading(4, 1, 1, 60)).limit()).isEqualTo("waiting");
  }

  @Test
  void theKernelsFirstLineIsRead() {
    TierWindow.Reading.MachineCpu begin =
        TierWindow.Reading.MachineCpu.parse("cpu  10 0 10 70 10 0 0 0 0 0");
    TierWindow.Reading.MachineCpu end =
        TierWindow.Reading.MachineCpu.parse("cpu  40 5 20 110 20 2 2 1 0 0");
    assertThat(begin).isEqualTo(new TierWindow.Reading.MachineCpu(20, 100));
    assertThat(end.percentSince(begin)).isEqualTo(50);
    assertThat(end.percentSince(end)).isZero();
  }

  @Test
  void ratiosAreOfOneRound() {
    Results.Builder results = Results.builder("test", Environment.here("a command", Map.of()));
    TierWindow slow = window(reading(0, 0, 0, 0), reading(10, 1, 1, 95));
    TierWindow fast = window(reading(0, 0, 0, 0), reading(5, 1, 1, 50));
    Run run = new Run(null, null, results);
    TierCases.ratios(run, "r.", "ours", Map.of(of("1T_SSD"), fast, of("1T_HDD"), slow));
    TierCases.ratios(run, "r.", "stock-best", Map.of(of("1T_HDD"), slow));
    Results built = results.build();
    Map<String, String> params = Map.of("case", "1T_SSD", "over", "1T_HDD");
    assertThat(built.find("r.throughput", "ours", params).orElseThrow().median()).isEqualTo(2);
    assertThat(built.find("r.latency", "ours", params).orElseThrow().median()).isEqualTo(1);
    assertThat(built.find("r.cpu-limited", "ours", params).orElseThrow().median()).isEqualTo(1);
    assertThat(built.find("r.throughput", "stock-best")).isEmpty();
  }

  @Test
  void theStoryComparesCasesWithOthers() {
    assertThat(of("1T_SSD_HDD").comparedWith()).containsExactly("1T_HDD", "1T_SSD");
    assertThat(of("1T_HDD").comparedWith()).isEmpty();
  }

  @Test
  void bytesAreCountedByKindAndTier() {
    TierPlacement placement = new TierPlacement();
    placement.add("store", Tier.SSD, 10 * MEGABYTE, Tier.SSD);
    placement.add("store", Tier.HDD, 5 * MEGABYTE, Tier.SSD);
    placement.add("wal", Tier.SSD, MEGABYTE, Tier.SSD);
    placement.add("wal", Tier.HDD, 0, Tier.SSD);
    assertThat(placement.megabytes)
        .isEqualTo(
            Map.of(
                "placed.store.ssd", 10.0,
                "placed.store.hdd", 5.0,
                "placed.wal.ssd", 1.0,
                "misplaced.store", 5.0,
                "misplaced.wal", 0.0,
                "misplaced.archive", 0.0));
  }

  @Test
  void onlyTheTablesFilesAndLogsAreOfAKind() {
    String data = "/hbase/data/default/usertable/";
    assertThat(TierPlacement.kind(new Path(data + "abc/family/file"))).contains("store");
    assertThat(TierPlacement.kind(new Path(data + "abc/.regioninfo"))).isEmpty();
    assertThat(
            TierPlacement.kind(new Path("/hbase/archive/data/default/usertable/abc/family/file")))
        .contains("archive");
    assertThat(TierPlacement.kind(new Path("/hbase/WALs/server/log"))).contains("wal");
    assertThat(TierPlacement.kind(new Path("/hbase/MasterData/WALs/server/log"))).isEmpty();
  }
}
