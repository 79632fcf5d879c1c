package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;

import org.fastpath.metrics.Metrics;
import org.junit.jupiter.api.Test;

/** A time is given to whoever's operation it is, or to nobody. */
class StopwatchTest {
  private final RegionHistograms mine = histograms();
  private final RegionHistograms others = histograms();
  private final Stopwatch stopwatch = new Stopwatch();

  @Test
  void givesTheTimeSinceTheStart() {
    long before = System.nanoTime();
    stopwatch.start(mine);
    assertThat(stopwatch.nanos(mine)).isBetween(0L, System.nanoTime() - before);
  }

  @Test
  void givesNoTimeThatIsNotOnesOwn() {
    assertThat(stopwatch.nanos(mine)).isEqualTo(Stopwatch.NOT_SEEN);
    stopwatch.start(mine);
    stopwatch.start(others);
    assertThat(stopwatch.nanos(mine)).isEqualTo(Stopwatch.NOT_SEEN);
    stopwatch.start(mine);
    stopwatch.clear();
    assertThat(stopwatch.nanos(mine)).isEqualTo(Stopwatch.NOT_SEEN);
  }

  private static RegionHistograms histograms() {
    return new RegionHistograms(Metrics.source("StopwatchTest", "Not registered"));
  }
}
