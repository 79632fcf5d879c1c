package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TuningContestTest {
  private final TuningContest contest = new TuningContest();

  @Test
  void aFewMissesAreNoEvidence() {
    miss(1_999, 0, 1_999, 1_999);
    contest.decide();
    assertThat(contest.winner()).isEqualTo(Tuning.STEADY);
  }

  @Test
  void itTakesAClearLeadToLeaveASteadierTuning() {
    miss(10_000, 9_600, 9_510, 9_700);
    contest.decide();
    assertThat(contest.winner()).isEqualTo(Tuning.STEADY);
    contest.restart();
    miss(10_000, 9_600, 9_490, 9_700);
    contest.decide();
    assertThat(contest.winner()).isEqualTo(Tuning.MOVING);
  }

  @Test
  void itTakesNoneToComeBack() {
    miss(10_000, 10_000, 10_000, 5_000);
    contest.decide();
    assertThat(contest.winner()).isEqualTo(Tuning.RECENT);
    contest.restart();
    miss(10_000, 9_999, 10_001, 10_000);
    contest.decide();
    assertThat(contest.winner()).isEqualTo(Tuning.BURSTS);
  }

  @Test
  void whatWasLongAgoWeighsLess() {
    miss(10_000, 10_000, 1_000, 10_000);
    contest.decide();
    for (int i = 0; i < 10; i++) {
      miss(2_000, 10_000, 10_000, 10_000);
      contest.decide();
    }
    assertThat(contest.winner()).isEqualTo(Tuning.STEADY);
  }

  private void miss(int... counts) {
    for (Tuning tuning : Tuning.values()) {
      for (int i = 0; i < counts[tuning.ordinal()]; i++) {
        contest.missed(tuning);
      }
    }
  }
}
