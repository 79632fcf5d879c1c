package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
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

  @Test
  void restsWhileNobodyReadsItAndIsExactAfterwards() throws InterruptedException {
    for (int rest = 0; rest < 2; rest++) {
      while (!CoarseClock.isResting()) {
        Thread.sleep(1);
      }
      long before = EnvironmentEdgeManager.currentTime();
      assertThat(CoarseClock.millis()).isBetween(before, EnvironmentEdgeManager.currentTime());
      goesOnAndIsNeverAhead();
    }
  }
}
