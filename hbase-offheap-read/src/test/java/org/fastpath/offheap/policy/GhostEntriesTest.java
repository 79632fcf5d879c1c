package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.junit.jupiter.api.Test;

class GhostEntriesTest {
  private static final int MAX_BLOCKS = Integer.MAX_VALUE;

  private final AtomicLong allocated = new AtomicLong();
  private final MemoryAllocator counting =
      bytes -> {
        allocated.addAndGet(bytes);
        return MemoryAllocator.DIRECT.allocate(bytes);
      };

  /** At half of four ghosts a block they would be made anew, empty, at each eviction. */
  @Test
  void thereAreEnoughForTheMostBlocks() {
    for (long blocks = 1; blocks <= MAX_BLOCKS; blocks = 2 * blocks + 1) {
      assertThat(new GhostEntries(4 * blocks, counting).capacity())
          .isGreaterThanOrEqualTo(2 * blocks);
    }
    assertThat(allocated).hasValue(0);
  }

  @Test
  void memoryComesWithTheFirstGhostOfASlab() {
    GhostEntries ghosts = new GhostEntries(4L * MAX_BLOCKS, counting);
    for (long hash = 1; hash < 10; hash++) {
      ghosts.remember(hash * 0x9E3779B97F4A7C15L, 100, 5);
    }
    for (long hash = 1; hash < 10; hash++) {
      assertThat(ghosts.recall(hash * 0x9E3779B97F4A7C15L, 5)).isEqualTo(100);
      assertThat(ghosts.recall(hash * 0x9E3779B97F4A7C15L, 5)).isZero();
    }
    assertThat(allocated.get()).isLessThanOrEqualTo(9 * (256 << 10)).isEqualTo(ghosts.bytes());
  }

  @Test
  void memoryThatCannotBeHadIsForgottenAndAskedForLater() {
    AtomicLong failedAllocations = new AtomicLong(1);
    GhostEntries ghosts =
        new GhostEntries(
            16,
            bytes -> {
              if (failedAllocations.getAndDecrement() > 0) {
                throw new OutOfMemoryError("injected");
              }
              return MemoryAllocator.DIRECT.allocate(bytes);
            });
    ghosts.remember(1, 100, 5);
    assertThat(ghosts.recall(1, 5)).isZero();
    for (int i = 0; i <= 1 << 16; i++) {
      ghosts.remember(1, 100, 5);
    }
    assertThat(ghosts.recall(1, 5)).isEqualTo(100);
  }
}
