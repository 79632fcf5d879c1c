package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.fastpath.tiered.regionserver.guard.FluidServer.MEGA;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverloadModelTest {
  private static final double CAPACITY = 20 * MEGA;
  private static final double PIECE = 8 * MEGA;
  private static final int FIVE_MINUTES = 300;
  private static final int HOUR = 3600;

  private final GuardOptions options = GuardOptions.of(new Configuration(false));
  private final OverloadModel model = new OverloadModel(options);
  private FluidServer server = new FluidServer(CAPACITY, PIECE);
  private LoadState state = LoadState.NONE;
  private int begins;
  private int ends;

  /** Simulates seconds; the function returns the writers' offer of each. */
  private void run(int seconds, IntToDoubleFunction offered) {
    for (int second = 0; second < seconds; second++) {
      step(offered.applyAsDouble(second), 0);
    }
  }

  private void step(double offered, double allowed) {
    boolean before = state.overloaded();
    state = model.update(server.second(offered), allowed);
    begins += !before && state.overloaded() ? 1 : 0;
    ends += before && !state.overloaded() ? 1 : 0;
  }

  /** A log that is eight times as fast as the disks. */
  @Test
  void theStorysCaseIsSeen() {
    run(FIVE_MINUTES, second -> 8 * CAPACITY);
    assertThat(state.overloaded()).isTrue();
    assertThat(begins).isEqualTo(1);
    assertThat(state.capacity()).isCloseTo(CAPACITY, within(0.1 * CAPACITY));
    assertThat(state.ingest()).isCloseTo(CAPACITY, within(0.1 * CAPACITY));
    assertThat(state.demand()).isGreaterThan(4 * CAPACITY);
    assertThat(state.blockedShare()).isGreaterThan(0.8);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.3, 2, 30})
  void anOverloadIsSeenWithinMinutes(double times) {
    run(FIVE_MINUTES, second -> times * CAPACITY);
    assertThat(begins).isEqualTo(1);
    assertThat(state.overloaded()).isTrue();
  }

  /** After each of them memstores are below the mark for some seconds. */
  @Test
  void largeFlushesDoNotHideIt() {
    server = new FluidServer(CAPACITY, 8 * PIECE);
    run(FIVE_MINUTES, second -> 1.5 * CAPACITY);
    assertThat(begins).isEqualTo(1);
    assertThat(state.overloaded()).isTrue();
  }

  @Test
  void itIsNotSeenBeforeItLasted() {
    int filled = 3;
    run(filled + (int) options.sustainedSeconds(), second -> 8 * CAPACITY);
    assertThat(begins).isZero();
  }

  /** Memstores are at the mark for most of the time, as where there are many regions. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.5, 0.9, 1})
  void aLoadThatIsTakenIsNone(double times) {
    run(HOUR, second -> times * CAPACITY);
    assertThat(begins).isZero();
  }

  @Test
  void anUnsteadyLoadThatIsTakenIsNone() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    run(HOUR, second -> 2 * random.nextDouble() * 0.75 * CAPACITY);
    assertThat(begins).as("seed %d", seed).isZero();
  }

  @Test
  void burstsThatEndSoonAreNone() {
    run(HOUR, second -> second % 80 < 18 ? 3 * CAPACITY : 0);
    assertThat(begins).isZero();
  }

  /** Though it is known by then what flushes can take. */
  @Test
  void aBurstThatMemoryHoldsIsNone() {
    run(FIVE_MINUTES, second -> 8 * CAPACITY);
    run(FIVE_MINUTES, second -> 0.5 * CAPACITY);
    LoadSample before = server.second(0);
    for (int second = 1; second <= 120; second++) {
      long in = Math.round(before.ingestedBytes() + 8 * CAPACITY * second);
      long nanos = before.nanos() + TimeUnit.SECONDS.toNanos(second);
      state = model.update(new LoadSample(nanos, in, before.drainedBytes(), -0.5, 0), 0);
      assertThat(state.overloaded()).isFalse();
    }
    assertThat(state.demand()).isGreaterThan(4 * CAPACITY);
  }

  /** On and off for longer than it has to last: seen, but not each time. */
  @Test
  void anOverloadWithPausesIsOne() {
    run(HOUR, second -> second % 80 < 60 ? 4 * CAPACITY : 0);
    assertThat(begins).isEqualTo(1);
    assertThat(ends).isZero();
  }

  @Test
  void itEndsWhenTheLoadDoes() {
    run(FIVE_MINUTES, second -> 8 * CAPACITY);
    run(FIVE_MINUTES, second -> 0.5 * CAPACITY);
    assertThat(state.overloaded()).isFalse();
    run(HOUR, second -> 0.5 * CAPACITY);
    assertThat(begins).isEqualTo(1);
    assertThat(ends).isEqualTo(1);
  }

  @Test
  void itEndsWhenTheTierIsFasterAgain() {
    server.slower(4);
    run(FIVE_MINUTES, second -> 0.8 * CAPACITY);
    assertThat(state.overloaded()).isTrue();
    server.slower(1);
    run(FIVE_MINUTES, second -> 0.8 * CAPACITY);
    assertThat(state.overloaded()).isFalse();
  }

  @Test
  void aTierThatTakesNothingIsAnOverload() {
    run(FIVE_MINUTES, second -> 0.5 * CAPACITY);
    server.slower(1e9);
    run(FIVE_MINUTES, second -> 0.5 * CAPACITY);
    assertThat(state.overloaded()).isTrue();
    assertThat(state.capacity()).isLessThan(0.01 * CAPACITY);
  }

  /** Writers that use their whole limit: nothing is blocked. */
  @Test
  void throttledWritesFlowInsteadOfStoppingAndGoing() {
    FluidServer free = new FluidServer(CAPACITY, PIECE);
    for (int second = 0; second < HOUR; second++) {
      free.second(8 * CAPACITY);
      throttled(8 * CAPACITY);
    }
    assertThat(begins).isEqualTo(1);
    assertThat(ends).isZero();
    assertThat(server.ingestedBytes()).isGreaterThan(0.98 * free.ingestedBytes());
    assertThat(free.blockedShare()).isGreaterThan(0.8);
    assertThat(server.blockedShare()).isLessThan(0.1);
  }

  @Test
  void aThrottleFollowsTheTier() {
    for (int second = 0; second < HOUR; second++) {
      throttled(8 * CAPACITY);
    }
    double before = server.ingestedBytes();
    server.slower(0.25);
    for (int second = 0; second < HOUR; second++) {
      throttled(8 * CAPACITY);
    }
    assertThat(server.ingestedBytes() - before).isGreaterThan(3 * HOUR * CAPACITY);
    assertThat(begins).isEqualTo(1);
  }

  @Test
  void aThrottleEndsWhenWritersWantLess() {
    for (int second = 0; second < FIVE_MINUTES; second++) {
      throttled(8 * CAPACITY);
    }
    assertThat(state.overloaded()).isTrue();
    for (int second = 0; second < HOUR; second++) {
      throttled(0.6 * CAPACITY);
    }
    assertThat(state.overloaded()).isFalse();
    assertThat(begins).isEqualTo(1);
    assertThat(ends).isEqualTo(1);
  }

  private void throttled(double wanted) {
    double allowed = state.overloaded() ? WritePace.limit(state) : 0;
    step(allowed > 0 ? Math.min(wanted, allowed) : wanted, allowed);
  }

  @Test
  void aLateSampleAndCountsThatGoBackDoNoHarm() {
    LoadSample first = new LoadSample(1_000_000_000L, 1 << 20, 1 << 20, -1, 0);
    model.update(first, 0);
    assertThat(model.update(first, 0).ingest()).isZero();
    state = model.update(new LoadSample(2_000_000_000L, 1 << 10, 0, -1, 0), 0);
    assertThat(state.ingest()).isZero();
    assertThat(state.capacity()).isEqualTo(LoadState.UNKNOWN);
  }
}
