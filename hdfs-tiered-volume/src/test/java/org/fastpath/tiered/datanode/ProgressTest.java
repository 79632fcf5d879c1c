package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Tests which volume is behind another. */
class ProgressTest {
  private static final double[] ALIKE = {1, 1};

  private final TestVolume first = new TestVolume();
  private final TestVolume second = new TestVolume();
  private final VolumeLoad[] loads = {first.load, second.load};
  private Progress progress = Progress.start(loads);

  /** Bytes by which the first one is ahead. */
  private double lead(double... weights) {
    return progress.of(0, first.load, weights[0]) - progress.of(1, second.load, weights[1]);
  }

  private void refresh(double... weights) {
    progress = progress.next(loads, weights, 1);
  }

  @Test
  void whatWasChosenCountsAtOnceAndUntilItIsKnownWhatWasWritten() {
    first.load.share().chosen(1000);
    assertThat(lead(ALIKE)).isEqualTo(1000);
    first.write(1, 1, 100);
    first.inFlight = 50;
    refresh(ALIKE);
    assertThat(lead(ALIKE)).as("and the choice, as a byte").isEqualTo(151);
    first.inFlight = 0;
    refresh(ALIKE);
    assertThat(lead(ALIKE)).isEqualTo(101);
  }

  @Test
  void bytesCountByTheWeightOfTheirTime() {
    first.write(1, 1, 100);
    second.write(1, 1, 200);
    refresh(1, 2);
    assertThat(lead(ALIKE)).isZero();
    second.load.share().chosen(100);
    assertThat(lead(1, 4)).isEqualTo(-25);
  }

  @Test
  void whoIsBehindIsForgotten() {
    first.write(1, 1, 100);
    progress = progress.next(loads, ALIKE, 0.5);
    assertThat(lead(ALIKE)).isCloseTo(50, within(1e-9));
  }

  @Test
  void whoWasLeftOutBeginsWhereTheFarthestIs() {
    first.write(1, 1, 100);
    refresh(1, 0);
    assertThat(lead(ALIKE)).isZero();
  }
}
