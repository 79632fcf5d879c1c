package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MiniatureSimulationTest {
  private static final int LENGTH = 1_000;

  private final MiniatureSimulation simulation = new MiniatureSimulation(MemoryAllocator.DIRECT);

  @Test
  void beforeTheCacheIsFullNothingIsSampled() {
    simulation.capacity(1L << 30);
    assertThat(share()).isZero();
    assertThat(simulation.bytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2_048, 10_000, 1_000_000})
  void aThousandOrTwoBlocksAreSampledOfACacheOfAnySize(int blocks) {
    full(blocks);
    assertThat(share() * blocks).isBetween(Math.min(blocks, 900.0), 2_200.0);
    assertThat(simulation.bytes()).isLessThan(6L << 20);
  }

  @Test
  void whenBlocksAreManyMoreOthersAreSampled() {
    full(2_000);
    read(10_000, i -> i);
    simulation.fit(4_000);
    assertThat(share()).isEqualTo(1);
    simulation.fit(40_000);
    assertThat(share() * 40_000).isBetween(900.0, 2_200.0);
    simulation.validate();
  }

  @Test
  void aLoopLargerThanTheCacheWantsToBeRemembered() {
    full(20_000);
    read(2_000_000, i -> i % 30_000);
    assertThat(simulation.decide()).isEqualTo(Tuning.STEADY);
  }

  @Test
  void blocksThatAreReadForAWhileAndNeverAgainWantRecency() {
    full(2_000);
    Random random = new Random(1);
    read(400_000, i -> i / 8 + (int) Math.abs(random.nextGaussian() * 600));
    assertThat(simulation.decide()).isEqualTo(Tuning.RECENT);
  }

  @Test
  void keysComeAndGoAtRandom() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    full(500);
    for (int i = 0; i < 100_000; i++) {
      int block = random.nextInt(2_000);
      switch (random.nextInt(1_000)) {
        case 0 -> simulation.capacity(1 + (long) random.nextInt(1_000 * LENGTH));
        case 1 -> simulation.fit(100 + random.nextInt(10_000));
        case 2, 3, 4, 5 -> simulation.remove(block % 3, block);
        default -> simulation.read(block % 3, block, 1 + random.nextInt(3 * LENGTH));
      }
      if (i % 1_000 == 0) {
        simulation.validate();
      }
    }
  }

  @Test
  void moreKeysThanThereIsRoomForAreNoProblem() {
    simulation.capacity(1L << 40);
    simulation.fit(1_000);
    read(100_000, i -> i);
    simulation.validate();
  }

  private void full(int blocks) {
    simulation.capacity((long) blocks * LENGTH);
    simulation.fit(blocks);
  }

  private void read(int reads, IntUnaryOperator trace) {
    for (int i = 0; i < reads; i++) {
      simulation.read(1, trace.applyAsInt(i) * 65_536L, LENGTH);
    }
  }

  /** Returns the part of all blocks that are sampled. */
  private double share() {
    int sampled = 0;
    int all = 4_000_000;
    for (int i = 0; i < all; i++) {
      sampled += simulation.samples(KeyHash.of(1 + (i & 7), (i >> 3) * 65_536L)) ? 1 : 0;
    }
    return (double) sampled / all;
  }
}
