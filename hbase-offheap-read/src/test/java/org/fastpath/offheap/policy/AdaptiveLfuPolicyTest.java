package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveLfuPolicyTest {
  private static final double SHARE = 0.25;
  private static final IntPredicate ANY = entry -> true;

  private final BlockEntries entries = new BlockEntries(100_000, MemoryAllocator.DIRECT);

  @ParameterizedTest
  @ValueSource(ints = {10, 1_000, 100_000})
  void everyBlockLeavesOnce(int capacity) {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    AdaptiveLfuPolicy policy = policy(capacity);
    Map<Integer, Long> cached = new HashMap<>();
    long used = 0;
    long size = capacity;
    long evicted = 0;
    for (int i = 0; i < 50_000; i++) {
      int kind = random.nextInt(100);
      if (kind < 50 || cached.isEmpty()) {
        int length = 1 + random.nextInt(capacity / 10);
        for (int tries = 0; used + length > size && tries < 1_000; tries++) {
          int pinned = random.nextInt(4);
          int entry = policy.evict(any -> any % 4 != pinned);
          if (entry != BlockEntries.NONE) {
            assertThat(entry % 4).as("seed %d", seed).isNotEqualTo(pinned);
            assertThat(cached.remove(entry)).as("block %d, seed %d", entry, seed).isNotNull();
            used -= entries.length(entry);
            entries.free(entry);
            evicted++;
          }
        }
        int entry = add(policy, random.nextInt(5_000), length, random.nextInt(5) == 0);
        assertThat(cached.put(entry, 0L)).isNull();
        used += length;
      } else if (kind < 90) {
        policy.recordHit(random.nextInt(entries.highest()));
      } else if (kind < 99) {
        int entry = cached.keySet().iterator().next();
        cached.remove(entry);
        policy.remove(entry);
        used -= entries.length(entry);
        entries.free(entry);
      } else {
        size = capacity / 2 + random.nextInt(capacity);
        policy.resize(size);
      }
      if (i % 100 == 0) {
        policy.validate();
      }
    }
    assertThat(policy.rejected() + policy.evictedFromMain() + policy.evictedInMemory())
        .isEqualTo(evicted);
    while (!cached.isEmpty()) {
      assertThat(cached.remove(policy.evict(ANY))).as("seed %d", seed).isNotNull();
    }
    assertThat(policy.evict(ANY)).isEqualTo(BlockEntries.NONE);
    policy.validate();
  }

  @Test
  void aBlockThatIsBeingReadStays() {
    AdaptiveLfuPolicy policy = policy(1_000);
    int pinned = add(policy, 0, 1, false);
    for (int i = 1; i < 1_000; i++) {
      add(policy, i, 1, false);
    }
    for (int i = 0; i < 999; i++) {
      assertThat(policy.evict(entry -> entry != pinned)).isNotIn(pinned, BlockEntries.NONE);
    }
    assertThat(policy.evict(entry -> entry != pinned)).isEqualTo(BlockEntries.NONE);
    assertThat(policy.evict(ANY)).isEqualTo(pinned);
  }

  @Test
  void anEvictionAsksForABoundedNumberOfBlocks() {
    AdaptiveLfuPolicy policy = policy(10_000);
    for (int i = 0; i < 10_000; i++) {
      int entry = add(policy, i, 1, i % 10 == 0);
      policy.recordHit(entry);
    }
    int[] asked = {0};
    assertThat(policy.evict(entry -> asked[0]++ < 0)).isEqualTo(BlockEntries.NONE);
    assertThat(asked[0]).isLessThan(250);
  }

  @Test
  void inMemoryBlocksAreKeptWithinTheirShare() {
    AdaptiveLfuPolicy policy = policy(1_000);
    for (int i = 0; i < 250; i++) {
      add(policy, i, 1, true);
    }
    stream(policy, 1_000, 20_000, 750);
    assertThat(policy.evictedInMemory()).isZero();
  }

  @Test
  void inMemoryBlocksBeyondTheirShareCompete() {
    AdaptiveLfuPolicy policy = policy(1_000);
    for (int i = 0; i < 400; i++) {
      add(policy, i, 1, true);
    }
    for (int i = 1_000; i < 1_600; i++) {
      int entry = add(policy, i, 1, false);
      policy.recordHit(entry);
      policy.recordHit(entry);
    }
    for (int i = 0; i < 1_000; i++) {
      entries.free(policy.evict(ANY));
      int entry = add(policy, 10_000 + i, 1, false);
      policy.recordHit(entry);
      policy.recordHit(entry);
    }
    assertThat(policy.evictedInMemory()).isEqualTo(150);
    policy.validate();
  }

  @Test
  void inMemoryBlocksThatCompetedAreKeptAgainWhenThereIsRoom() {
    AdaptiveLfuPolicy policy = policy(1_000);
    int[] inMemory = new int[300];
    for (int i = 0; i < 300; i++) {
      inMemory[i] = add(policy, i, 1, true);
    }
    for (int i = 200; i < 300; i++) {
      policy.remove(inMemory[i]);
    }
    stream(policy, 10_000, 20_000, 800);
    assertThat(policy.evictedInMemory()).isZero();
  }

  @Test
  void aHotBlockIsNotWritten() {
    AdaptiveLfuPolicy policy = policy(1_000);
    int entry = add(policy, 0, 1, false);
    for (int i = 1; i < 1_000; i++) {
      add(policy, i, 1, false);
    }
    for (int i = 0; i < 100; i++) {
      policy.recordHit(entry);
    }
    int word = entries.policyWord(entry);
    policy.recordHit(entry);
    assertThat(entries.policyWord(entry)).isEqualTo(word);
    assertThat(word & 0x7FFF).isEqualTo(Frequency.MAX);
  }

  @Test
  void aBurstInTheWindowCountsOnce() {
    AdaptiveLfuPolicy policy = policy(1_000);
    int entry = add(policy, 0, 1, false);
    for (int i = 0; i < 100; i++) {
      policy.recordHit(entry);
    }
    assertThat(entries.policyWord(entry) & 0x7FFF).isEqualTo(2 * Frequency.ONE);
  }

  @Test
  void aScanDisplacesBlocksOnlyWhereMemoryIsShort() {
    AdaptiveLfuPolicy policy = policy(1_000);
    int[] read = new int[900];
    for (int i = 0; i < read.length; i++) {
      read[i] = add(policy, i, 1, false);
    }
    for (int entry : read) {
      policy.recordHit(entry);
    }
    stream(policy, 10_000, 5_000, 100);
    assertThat(policy.evictedFromMain()).isLessThan(read.length / 10);
    assertThat(policy.rejected()).isEqualTo(5_000 - 100 - policy.evictedFromMain());
  }

  @Test
  void theTuningFollowsTheReads() {
    AdaptiveLfuPolicy policy = policy(1_000);
    Random random = new Random(1);
    Map<Integer, Integer> cached = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      read(policy, i % 1_200, cached);
    }
    assertThat(policy.tuning()).isEqualTo(Tuning.STEADY);
    for (int i = 0; i < 300_000; i++) {
      read(policy, 10_000 + i / 8 + (int) Math.abs(random.nextGaussian() * 300), cached);
    }
    assertThat(policy.tuning()).isEqualTo(Tuning.RECENT);
    for (int i = 0; i < 300_000; i++) {
      read(policy, i % 1_200, cached);
    }
    assertThat(policy.tuning()).isEqualTo(Tuning.STEADY);
    policy.validate();
  }

  private void read(AdaptiveLfuPolicy policy, int block, Map<Integer, Integer> cached) {
    Integer entry = cached.get(block);
    if (entry != null) {
      policy.recordHit(entry);
      return;
    }
    if (cached.size() == 1_000) {
      int gone = policy.evict(ANY);
      cached.remove((int) (entries.offset(gone) / 65_536L));
      entries.free(gone);
    }
    cached.put(block, add(policy, block, 1, false));
  }

  /** Adds new blocks, first as many as fit without eviction, then one for another. */
  private void stream(AdaptiveLfuPolicy policy, int from, int blocks, int room) {
    for (int i = 0; i < blocks; i++) {
      if (i >= room) {
        entries.free(policy.evict(ANY));
      }
      add(policy, from + i, 1, false);
    }
  }

  private int add(AdaptiveLfuPolicy policy, int block, int length, boolean inMemory) {
    int entry = entries.allocate();
    entries.key(entry, 1, block * 65_536L);
    entries.length(entry, length);
    policy.add(entry, inMemory);
    return entry;
  }

  private AdaptiveLfuPolicy policy(long bytes) {
    return new AdaptiveLfuPolicy(entries, bytes, SHARE, MemoryAllocator.DIRECT);
  }

  /** They are written under the lock of the cache and read without it. */
  @ParameterizedTest
  @ValueSource(strings = {"rejected", "evictedFromMain", "evictedInMemory"})
  void countersThatGaugesReadAreVolatile(String counter) throws NoSuchFieldException {
    int modifiers = AdaptiveLfuPolicy.class.getDeclaredField(counter).getModifiers();
    assertThat(Modifier.isVolatile(modifiers)).isTrue();
  }
}
