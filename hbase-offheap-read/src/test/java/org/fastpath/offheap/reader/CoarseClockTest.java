package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.Test;

class CoarseClockTest {
  private static final long MINUTE = 60_000;

  @Test
  void goesOnAndIsNeverAhead() throws InterruptedException {
    long begin = CoarseClock.millis();
    long last = begin;
    while (last < begin + 100) {
      long told = CoarseClock.millis();
      assertThat(told).isBetween(last, EnvironmentEdgeManager.currentTime());
      assertThat(EnvironmentEdgeManager.currentTime()).isLessThan(begin + MINUTE);
      last = told;
      Thread.sleep(1);
    }
  }
}
