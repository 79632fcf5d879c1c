package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The greatest value is that of the current minute and the one before. */
class RecentMaxTest {
  private final RecentMax max = new RecentMax();

  @Test
  void isTheGreatest() {
    assertThat(max.max()).isZero();
    max.offer(7);
    max.offer(5);
    assertThat(max.max()).isEqualTo(7);
  }

  @Test
  void lastsUntilAMinuteAfterItsOwn() {
    max.offer(7);
    max.advance();
    max.offer(3);
    assertThat(max.max()).isEqualTo(7);
    max.advance();
    assertThat(max.max()).isEqualTo(3);
    max.advance();
    assertThat(max.max()).isZero();
  }

  @Test
  void ofAnEarlierMinuteMayBeExceeded() {
    max.offer(3);
    max.advance();
    max.offer(7);
    assertThat(max.max()).isEqualTo(7);
  }
}
