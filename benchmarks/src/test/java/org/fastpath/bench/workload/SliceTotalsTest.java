package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.junit.jupiter.api.Test;

class SliceTotalsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private static Slice slice(long nanos, long rows, long cpu, double allocated, long latency) {
    Histogram latencies = new Histogram(2);
    latencies.recordValue(latency);
    return new Slice(nanos, rows, cpu, allocated, latencies);
  }

  private static SliceTotals totals() {
    SliceTotals totals = new SliceTotals();
    totals.add(slice(SECOND, 1000, 3 * MILLI, 50_000, 2 * MILLI));
    SliceTotals other = new SliceTotals();
    other.add(slice(3 * SECOND, 3000, 5 * MILLI, 30_000, 8 * MILLI));
    totals.add(other);
    return totals;
  }

  @Test
  void slicesAddUp() {
    SliceTotals totals = totals();

    assertThat(totals.rowsPerSecond()).isEqualTo(1000);
    assertThat(totals.cpuMicrosPerRow()).isEqualTo(2);
    assertThat(totals.allocatedBytesPerRow()).isEqualTo(20);
    assertThat(totals.latencyMillis(50)).isCloseTo(2, within(0.05));
    assertThat(totals.latencyMillis(99)).isCloseTo(8, within(0.1));
    assertThat(totals.summary()).startsWith("1,000 rows/s, 2.00 µs/row, 20 B/row, p99 8.");
  }

  @Test
  void aRoundIsRecordedAndDrawnOverThreads() {
    Results.Builder results = Results.builder("title", Environment.here("command", Map.of()));
    Map<String, String> few = Map.of("value bytes", "100", "threads", "5");
    Map<String, String> many = Map.of("value bytes", "100", "threads", "25");
    Map<String, String> large = Map.of("value bytes", "1000", "threads", "5");
    List.of(many, few, large).forEach(params -> totals().record(results, "reads", params, "ours"));

    Results done = results.build();

    assertThat(done.find("reads.rate", "ours", few))
        .hasValueSatisfying(
            rate -> {
              assertThat(rate.better()).isEqualTo(Measurement.Better.HIGHER);
              assertThat(rate.median()).isEqualTo(1000);
            });
    assertThat(ThreadCharts.lines(done, "reads.cpu", "µs/row", Map.of("value bytes", "100")))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.name()).isEqualTo("reads.cpu, 100 value bytes, by client threads");
              assertThat(line.x()).containsExactly(5.0, 25.0);
              assertThat(line.y()).containsExactly(2.0, 2.0);
            });
  }

  @Test
  void anIdleHeapAllocatesNothingAndCollectionsAreNotNegative() {
    List<GcEvent> collections = List.of(new GcEvent(5, 1, 30, 10), new GcEvent(9, 1, 40, 20));

    assertThat(GcEvent.allocated(7 << 20, 7 << 20, List.of())).isZero();
    assertThat(GcEvent.allocated(25 << 20, 22 << 20, collections)).isEqualTo((5 + 30 + 2) << 20);
    assertThat(GcEvent.between(collections, 5, 9)).containsExactly(collections.get(1));
  }
}
