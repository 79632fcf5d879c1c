package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoordinatorWatchTest {
  private static final long INTERVAL = 30_000;

  private final CoordinatorWatch watch = new CoordinatorWatch(INTERVAL, 0);

  @Test
  void aServerThatStartsAsksTheCoordinator() {
    assertThat(watch.isAway(INTERVAL)).isFalse();
  }

  @Test
  void aCoordinatorIsAwayFromTheFirstFailedCallToTheNextAnswer() {
    watch.failed();
    assertThat(watch.isAway(1)).isTrue();
    watch.answered(2);
    assertThat(watch.isAway(3)).isFalse();
  }

  @Test
  void aCallThatHangsIsNotWaitedForForever() {
    watch.answered(1_000);
    assertThat(watch.isAway(1_000 + 3 * INTERVAL)).isFalse();
    assertThat(watch.isAway(1_000 + 4 * INTERVAL)).isTrue();
  }
}
