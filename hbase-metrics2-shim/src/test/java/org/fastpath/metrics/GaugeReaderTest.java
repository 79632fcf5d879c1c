package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.fastpath.metrics.MetricDefinition.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gauge that throws or blocks is omitted. The snapshot and the other gauges are not affected. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class GaugeReaderTest {
  private final StripedLongs longs = new StripedLongs();

  /** Blocks its readers until it is released, and then returns 7. */
  private static final class Blocking implements LongSupplier {
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public long getAsLong() {
      asked.incrementAndGet();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return 7;
    }
  }

  private static Gauge gauge(String name, LongSupplier value) {
    return Gauge.number("Test", new MetricDefinition(name, "Of a test", Kind.GAUGE), value);
  }

  /** Returns a source with the gauges and a counter, which is 1. */
  private PublishedSource source(Gauge... gauges) {
    Counter counter = longs.counter(0);
    counter.increment();
    MetricDefinition definition = new MetricDefinition("someCount", "Of a test", Kind.COUNTER);
    MetricSet metrics =
        new MetricSet(
            List.of(new MetricSet.CounterEntry(definition, counter)),
            List.of(gauges),
            List.of(),
            List.of());
    return new Source("Test", "Of a test", new Definitions(), metrics);
  }

  private static Map<String, Object> snapshot(PublishedSource source) {
    return Snapshot.of(source).get(0);
  }

  private static void snapshotUntilShown(PublishedSource source, String metric) {
    while (!snapshot(source).containsKey(metric)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void oneThatBlocksIsLeftOutUntilItAnswers() {
    Blocking blocking = new Blocking();
    PublishedSource source =
        source(
            gauge("firstCount", () -> 1),
            gauge("slowCount", blocking),
            gauge("lastCount", () -> 3));
    long slow = GaugeReader.SLOW.sum();
    try (LogCapture log = new LogCapture()) {
      for (int i = 1; i <= 3; i++) {
        assertThat(snapshot(source))
            .isEqualTo(Map.of("someCount", 1L, "firstCount", 1L, "lastCount", 3L));
        assertThat(GaugeReader.SLOW.sum()).isEqualTo(slow + i);
      }
      assertThat(blocking.asked).hasValue(1);
      assertThat(log.lines())
          .hasSize(1)
          .allMatch(line -> line.startsWith("WARN Metrics: Test.slowCount did not answer within"));
    }
    blocking.released.countDown();
    snapshotUntilShown(source, "slowCount");
    assertThat(snapshot(source)).containsEntry("slowCount", 7L);
    assertThat(blocking.asked.get()).isGreaterThan(1);
  }

  @Test
  void oneThatThrowsIsLeftOutAndAskedAgain() {
    AtomicInteger asked = new AtomicInteger();
    LongSupplier broken =
        () -> {
          if (asked.incrementAndGet() <= 2) {
            throw new AssertionError("of a test");
          }
          return 2;
        };
    PublishedSource source = source(gauge("brokenCount", broken), gauge("lastCount", () -> 3));
    long failed = GaugeReader.FAILED.sum();
    try (LogCapture log = new LogCapture()) {
      for (int i = 1; i <= 2; i++) {
        assertThat(snapshot(source)).isEqualTo(Map.of("someCount", 1L, "lastCount", 3L));
        assertThat(GaugeReader.FAILED.sum()).isEqualTo(failed + i);
      }
      assertThat(log.lines())
          .hasSize(1)
          .allMatch(line -> line.startsWith("WARN Metrics: Test.brokenCount threw"))
          .allMatch(line -> line.endsWith("of a test"));
    }
    assertThat(snapshot(source)).containsEntry("brokenCount", 2L);
  }

  @Test
  void whenAllThreadsAreStuckGaugesAreLeftOut() {
    Blocking blocking = new Blocking();
    Gauge[] gauges = new Gauge[GaugeReader.THREADS + 1];
    for (int i = 0; i < gauges.length; i++) {
      gauges[i] = gauge("slow" + i + "Count", blocking);
    }
    PublishedSource stuck = source(gauges);
    while (blocking.asked.get() < GaugeReader.THREADS) {
      assertThat(snapshot(stuck)).containsOnlyKeys("someCount");
    }
    PublishedSource other = source(gauge("goodCount", () -> 1));
    long slow = GaugeReader.SLOW.sum();
    assertThat(snapshot(other)).containsOnlyKeys("someCount");
    assertThat(GaugeReader.SLOW.sum()).isEqualTo(slow + 1);
    assertThat(blocking.asked).hasValue(GaugeReader.THREADS);

    blocking.released.countDown();
    snapshotUntilShown(other, "goodCount");
    snapshotUntilShown(stuck, "slow8Count");
  }

  private static Gauge constant(String name, long value) {
    return Gauge.constant("Test", new MetricDefinition(name, "Of a test", Kind.GAUGE), value);
  }

  @Test
  void constantsAreShownWithoutAThread() {
    Blocking blocking = new Blocking();
    Gauge[] gauges = new Gauge[GaugeReader.THREADS];
    for (int i = 0; i < gauges.length; i++) {
      gauges[i] = gauge("held" + i + "Count", blocking);
    }
    PublishedSource stuck = source(gauges);
    while (blocking.asked.get() < GaugeReader.THREADS) {
      snapshot(stuck);
    }
    PublishedSource mixed =
        source(constant("oneCount", 1), gauge("otherCount", () -> 2), constant("threeCount", 3));
    long slow = GaugeReader.SLOW.sum();
    assertThat(snapshot(mixed))
        .containsOnlyKeys("someCount", "oneCount", "threeCount")
        .containsEntry("oneCount", 1L)
        .containsEntry("threeCount", 3L);
    assertThat(GaugeReader.SLOW.sum()).isEqualTo(slow + 1);
    PublishedSource constants = source(constant("oneCount", 1), constant("twoCount", 2));
    assertThat(snapshot(constants)).containsOnlyKeys("someCount", "oneCount", "twoCount");
    assertThat(GaugeReader.SLOW.sum()).isEqualTo(slow + 1);

    blocking.released.countDown();
    snapshotUntilShown(mixed, "otherCount");
    snapshotUntilShown(stuck, "held7Count");
  }

  @Test
  void constantsAreShownToAnInterruptedSnapshot() {
    Blocking blocking = new Blocking();
    PublishedSource source = source(constant("oneCount", 1), gauge("slowCount", blocking));
    Thread.currentThread().interrupt();
    assertThat(snapshot(source)).isEqualTo(Map.of("someCount", 1L, "oneCount", 1L));
    assertThat(Thread.interrupted()).isTrue();
    blocking.released.countDown();
    snapshotUntilShown(source, "slowCount");
  }

  @Test
  void aTextThatIsNullIsShownAsSuch() {
    MetricDefinition definition = new MetricDefinition("mode", "Of a test", Kind.TEXT);
    PublishedSource source = source(Gauge.text("Test", definition, () -> null));
    assertThat(snapshot(source)).containsEntry("mode", "null");
  }

  @Test
  void manyGaugesOneAfterAnother() {
    Gauge[] gauges = new Gauge[10_000];
    for (int i = 0; i < gauges.length; i++) {
      long value = i;
      gauges[i] = gauge("g" + i + "Count", () -> value);
    }
    assertThat(snapshot(source(gauges))).hasSize(10_001).containsEntry("g9999Count", 9_999L);
  }
}
