package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.fastpath.cluster.CpuTime;
import org.junit.jupiter.api.Test;

class ReadWindowTest {
  private static final long MB = 1 << 20;

  /** Two seconds in which 1,000 rows were got, 200 of them from HDFS, with 100 blocks scanned. */
  private static ReadWindow window() {
    ServerReading begin =
        new ServerReading(10_000, 500, new CpuTime(1_000_000, 0), 40, 10, 7, 7, 20 * MB, 3 * MB);
    ServerReading end =
        new ServerReading(
            12_000, 1500, new CpuTime(9_000_000, 2_000_000), 840, 510, 307, 207, 30 * MB, 10 * MB);
    Histogram latencies = new Histogram(3);
    for (int millis = 1; millis <= 100; millis++) {
      latencies.recordValue(millis * 1_000_000L);
    }
    return new ReadWindow(
        begin,
        end,
        latencies,
        List.of(
            new GcEvent(9_999, 50, 90, 5),
            new GcEvent(10_500, 4, 100, 10),
            new GcEvent(11_500, 6, 110, 15),
            new GcEvent(12_001, 70, 90, 5)));
  }

  @Test
  void rowsAreCountedInTheWindow() {
    assertThat(window().rowsPerSecond()).isEqualTo(500);
    assertThat(window().cpuMicrosPerRow()).isEqualTo(10);
  }

  @Test
  void hitsAreTakenFromWhatWasReadFromHdfs() {
    assertThat(window().pointHitPercent()).isCloseTo(80, within(1e-9));
    assertThat(window().hitPercent()).isCloseTo(100 * 800 / 1100.0, within(1e-9));
    assertThat(window().shownHitPercent()).isCloseTo(100 * 800 / 1300.0, within(1e-9));
  }

  @Test
  void pausesOutsideDoNotCount() {
    assertThat(window().collectionsPerMinute()).isEqualTo(60);
    assertThat(window().pausedMillisPerMinute()).isEqualTo(300);
    assertThat(window().longestPauseMillis()).isEqualTo(6);
  }

  @Test
  void allocationIsWhatTheHeapGrewByBetweenPauses() {
    // 20 to 100, 10 to 110, 15 to 30.
    assertThat(window().allocatedMegabytesPerSecond()).isEqualTo((80 + 100 + 15) / 2.0);
    assertThat(window().allocatedBytesPerRow()).isEqualTo(195.0 * MB / 1000);
  }

  @Test
  void disksAreCountedInTheWindow() {
    assertThat(window().diskMegabytesPerSecond()).isEqualTo(3.5);
  }

  @Test
  void latenciesAreTold() {
    assertThat(window().latencyMillis(50)).isCloseTo(50, within(0.1));
    assertThat(window().latencyMillis(99)).isCloseTo(99, within(0.1));
  }

  @Test
  void figuresKnowWhichDirectionIsGood() {
    Results.Builder builder = Results.builder("live", null);
    LiveFigure.record(builder, LoadKind.MULTI_GET, Map.of("threads", "5"), "ours", window());
    LiveFigure.record(builder, LoadKind.SCAN, Map.of("threads", "5"), "ours", window());
    Results results = builder.build();

    Measurement hit = results.find("live.multi-get.hit.gets", "ours").orElseThrow();
    assertThat(hit.median()).isCloseTo(80, within(1e-9));
    assertThat(hit.better()).isEqualTo(Measurement.Better.HIGHER);
    assertThat(results.find("live.multi-get.allocation", "ours").orElseThrow().better())
        .isEqualTo(Measurement.Better.LOWER);
    assertThat(results.find("live.scan.rate", "ours").orElseThrow().median()).isEqualTo(500);
    assertThat(results.find("live.scan.hit.gets", "ours")).isEmpty();
  }

  @Test
  void linesRunOverClientThreadsAndOverTime() {
    Results.Builder builder = Results.builder("live", null);
    for (int threads : new int[] {25, 5}) {
      LiveFigure.record(
          builder,
          LoadKind.MULTI_GET,
          Map.of("threads", Integer.toString(threads)),
          "ours",
          window());
    }
    LiveCharts charts = new LiveCharts();
    charts.warmUp(LoadKind.MULTI_GET, "ours", 3, 60);
    charts.warmUp(LoadKind.MULTI_GET, "ours", 6, 70);
    charts.collections(LoadKind.MULTI_GET, "ours", List.of(window()));
    charts.collections(LoadKind.SCAN, "ours", List.of(quiet()));
    charts.addTo(builder);
    Results results = builder.build();

    assertThat(results.series())
        .filteredOn(line -> line.name().equals("live.multi-get.rate, by client threads"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.x()).containsExactly(5.0, 25.0);
              assertThat(line.y()).containsExactly(500.0, 500.0);
            });
    assertThat(results.series())
        .filteredOn(line -> line.name().contains("heap of the RegionServer"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.x()).containsExactly(0.496, 0.5, 1.494, 1.5);
              assertThat(line.y()).containsExactly(100.0, 10.0, 110.0, 15.0);
            });
    assertThat(results.series())
        .filteredOn(line -> line.name().contains("after a restart"))
        .singleElement()
        .satisfies(line -> assertThat(line.y()).containsExactly(60.0, 70.0));
  }

  /** Nothing was collected: no line, not an empty one. */
  private static ReadWindow quiet() {
    ReadWindow window = window();
    return new ReadWindow(window.begin(), window.end(), window.latencies(), List.of());
  }
}
