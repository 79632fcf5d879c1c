package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Each minute is returned once, for any number of callers and calls. */
class MinutesTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1); // wraps soon
  private final Minutes minutes = new Minutes(clock::get);

  private void pass(long seconds) {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void tellsAMinuteOnce() {
    assertThat(minutes.passed()).isZero();
    pass(59);
    assertThat(minutes.passed()).isZero();
    pass(1);
    assertThat(minutes.passed()).isEqualTo(1);
    assertThat(minutes.passed()).isZero();
  }

  @Test
  void keepsTheRestForTheNext() {
    pass(150);
    assertThat(minutes.passed()).isEqualTo(2);
    pass(30);
    assertThat(minutes.passed()).isEqualTo(1);
  }

  @Test
  void tellsNoMoreThanEmptiesAnything() {
    pass(TimeUnit.DAYS.toSeconds(30));
    assertThat(minutes.passed()).isEqualTo(Integer.SIZE);
    assertThat(minutes.passed()).isZero();
  }
}
