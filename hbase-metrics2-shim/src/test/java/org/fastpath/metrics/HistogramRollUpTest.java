package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A table's histogram over those of its regions, which come and go. */
class HistogramRollUpTest {
  private final HistogramRollUp rollUp = new HistogramRollUp();

  private static CompactHistogram region() {
    CompactLongs longs = new CompactLongs();
    return new CompactHistogram(longs.counter(0), longs.counter(1));
  }

  private Distribution read() {
    Distribution distribution = new Distribution();
    rollUp.addTo(distribution);
    return distribution;
  }

  @Test
  void quantilesAreThoseOfAllValuesTogether() {
    long seed = System.nanoTime();
    System.out.println("HistogramRollUpTest seed " + seed);
    Random random = new Random(seed);
    long[] values = random.longs(100_000, 10_000, 5_000_000).toArray();
    List<CompactHistogram> regions = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      regions.add(region());
      rollUp.add(regions.get(i));
    }
    Arrays.stream(values).forEach(value -> regions.get(random.nextInt(10)).record(value));
    Arrays.sort(values);
    for (double share : new double[] {0.5, 0.9, 0.99, 0.999}) {
      long exact = values[(int) Math.ceil(share * values.length) - 1];
      assertThat(Math.abs(read().quantile(share) - exact) * 100).isLessThanOrEqualTo(exact);
    }
    assertThat(read().max()).isEqualTo(values[values.length - 1]);
    assertThat(read().count()).isEqualTo(values.length);
    assertThat(read().total()).isEqualTo(LongStream.of(values).sum());
  }

  @Test
  void whoLeavesLeavesNumberAndTotal() {
    CompactHistogram first = region();
    CompactHistogram second = region();
    rollUp.add(first);
    rollUp.add(second);
    first.record(5_000, 3);
    second.record(1_000_000, 2);
    rollUp.remove(first);
    rollUp.remove(first);
    assertThat(read().count()).isEqualTo(5);
    assertThat(read().total()).isEqualTo(2_015_000);
    assertThat(read().weight()).isEqualTo(2);
    rollUp.remove(second);
    assertThat(read().count()).isEqualTo(5);
    assertThat(read().weight()).isZero();
  }

  @Test
  void strangersAreNotCounted() {
    rollUp.add(NoOp.HISTOGRAM);
    rollUp.remove(region());
    assertThat(read().count()).isZero();
  }

  /** Four threads open and close regions; a table's numbers never go back, and none is lost. */
  @Test
  void numbersNeverGoBackWhileRegionsComeAndGo() throws InterruptedException {
    int perThread = 5_000;
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean wentBack = new AtomicBoolean();
    Thread reader = new Thread(() -> wentBack.set(goesBack(ended)));
    reader.start();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(new Thread(() -> openAndClose(perThread)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    ended.set(true);
    reader.join();
    assertThat(wentBack).isFalse();
    assertThat(read().count()).isEqualTo(4L * perThread * 2);
    assertThat(read().weight()).isZero();
  }

  private void openAndClose(int times) {
    for (int i = 0; i < times; i++) {
      CompactHistogram region = region();
      region.record(5_000);
      rollUp.add(region);
      region.record(10_000);
      rollUp.remove(region);
    }
  }

  private boolean goesBack(AtomicBoolean ended) {
    boolean back = false;
    long before = 0;
    while (!ended.get()) {
      long count = read().count();
      back |= count < before;
      before = count;
    }
    return back;
  }
}
