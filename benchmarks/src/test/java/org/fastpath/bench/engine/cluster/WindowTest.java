package org.fastpath.bench.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.results.Measurement.Better;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.cluster.GcEvent;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  /**
   * Returns two seconds in which clients got 1,000 rows, 200 of them from HDFS, with 100 scanned
   * blocks.
   */
  private static Window window() {
    Histogram latencies = new Histogram(3);
    for (int millis = 1; millis <= 100; millis++) {
      latencies.recordValue(millis * 1_000_000L);
    }
    return new Window(
        10_000,
        12_000,
        2 * SECOND,
        1000,
        10_000_000,
        195.0 * MB,
        new Window.Counters(800, 300, 200, 7 * MB),
        latencies,
        List.of(
            new GcEvent(9_999, 50, 90, 5),
            new GcEvent(10_500, 4, 100, 10),
            new GcEvent(11_500, 6, 110, 15),
            new GcEvent(12_001, 70, 90, 5)));
  }

  @Test
  void rowsAreCountedInTheWindow() {
    assertThat(Window.RATE.of(window())).isEqualTo(500);
    assertThat(Window.CPU.of(window())).isEqualTo(10);
    assertThat(Window.DISK.of(window())).isEqualTo(3.5);
    assertThat(window().seconds()).isEqualTo(2);
  }

  @Test
  void hitsAreTakenFromWhatWasReadFromHdfs() {
    assertThat(Window.POINT_HIT.of(window())).isCloseTo(80, within(1e-9));
    assertThat(Window.HIT.of(window())).isCloseTo(100 * 800 / 1100.0, within(1e-9));
  }

  @Test
  void pausesOutsideDoNotCount() {
    Map<String, Double> usual = new HashMap<>();
    Window.USUAL.forEach(
        figure -> usual.put(figure.name() + " " + figure.unit(), figure.of(window())));

    assertThat(usual)
        .containsEntry("gc.paused ms/min", 300.0)
        .containsEntry("gc.longest ms", 6.0)
        .containsEntry("allocation.row B/row", 195.0 * MB / 1000);
  }

  @Test
  void latenciesAreTold() {
    assertThat(Window.P50.of(window())).isCloseTo(50, within(0.1));
    assertThat(Window.P99.of(window())).isCloseTo(99, within(0.1));
    assertThat(Window.P999.of(window())).isCloseTo(100, within(0.1));
    assertThat(window().toString()).startsWith("500 rows/s, 10.0 µs/row, half of the requests");
  }

  @Test
  void windowsAddUp() {
    Window both = Window.together(List.of(window(), window()));

    assertThat(both.rows()).isEqualTo(2000);
    assertThat(both.seconds()).isEqualTo(4);
    assertThat(Window.CPU.of(both)).isEqualTo(10);
    assertThat(Window.POINT_HIT.of(both)).isCloseTo(80, within(1e-9));
    assertThat(both.latencies().getTotalCount()).isEqualTo(200);
    assertThat(both.collections()).hasSize(4);
  }

  @Test
  void anIdleHeapAllocatesNothingAndCollectionsAreNotNegative() {
    List<GcEvent> collections = List.of(new GcEvent(5, 1, 30, 10), new GcEvent(9, 1, 40, 20));

    assertThat(GcEvent.allocated(7 << 20, 7 << 20, List.of())).isZero();
    assertThat(GcEvent.allocated(25 << 20, 22 << 20, collections)).isEqualTo((5 + 30 + 2) << 20);
    assertThat(GcEvent.between(collections, 5, 9)).containsExactly(collections.get(1));
  }

  @Test
  void aRoundIsRecordedWithItsDirection() {
    Results.Builder builder = Results.builder("live", null);
    Run run = new Run(null, null, builder);
    run.round(List.of(Window.RATE, Window.HIT), "live.", Map.of(), "ours", window());
    Results results = builder.build();

    assertThat(results.find("live.hit", "ours").orElseThrow().better()).isEqualTo(Better.HIGHER);
  }
}
