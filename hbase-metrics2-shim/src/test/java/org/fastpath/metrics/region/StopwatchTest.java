package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;

import org.fastpath.metrics.Metrics;
import org.junit.jupiter.api.Test;

/** A time belongs to the operation that began it, or to none. */
class StopwatchTest {
  private static final Object CALL = new Object();

  private final RegionHistograms mine = histograms();
  private final RegionHistograms others = histograms();
  private final Stopwatch stopwatch = new Stopwatch();

  @Test
  void givesTheTimeSinceTheStart() {
    long before = System.nanoTime();
    stopwatch.start(mine, CALL);
    assertThat(stopwatch.nanos(mine, CALL)).isBetween(0L, System.nanoTime() - before);
  }

  @Test
  void givesNoTimeThatIsNotOnesOwn() {
    assertThat(stopwatch.nanos(mine, CALL)).isEqualTo(Stopwatch.NOT_SEEN);
    stopwatch.start(mine, CALL);
    stopwatch.start(others, CALL);
    assertThat(stopwatch.nanos(mine, CALL)).isEqualTo(Stopwatch.NOT_SEEN);
    stopwatch.start(mine, CALL);
    stopwatch.clear();
    assertThat(stopwatch.nanos(mine, CALL)).isEqualTo(Stopwatch.NOT_SEEN);
  }

  @Test
  void givesNoTimeThatBeganInAnotherCall() {
    stopwatch.start(mine, new Object());
    assertThat(stopwatch.nanos(mine, CALL)).isEqualTo(Stopwatch.NOT_SEEN);
    stopwatch.start(mine, null);
    assertThat(stopwatch.nanos(mine, CALL)).isEqualTo(Stopwatch.NOT_SEEN);
  }

  private static RegionHistograms histograms() {
    return new RegionHistograms(Metrics.source("StopwatchTest", "Not registered"));
  }
}
