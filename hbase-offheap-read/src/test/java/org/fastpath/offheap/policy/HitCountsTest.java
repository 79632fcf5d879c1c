package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The policy finds as many blocks as it did when these counts were recorded. A change of the code
 * that does not change the policy leaves them exactly equal. A better policy records new ones.
 */
class HitCountsTest {
  private static final int READS = 200_000;
  private static final int BLOCKS = 20_000;
  private static final int SCAN = 1 << 24;
  private static final int AVERAGE = 64 << 10;
  private static final long CAPACITY = (long) BLOCKS / 10 * AVERAGE;

  /** Reads of blocks by number, each with the number of hits that was recorded. */
  enum Trace {
    SKEWED(99_482) {
      @Override
      int block(int i, SplittableRandom random) {
        return skewed(random);
      }
    },
    SKEWED_WITH_SCANS(64_024) {
      @Override
      int block(int i, SplittableRandom random) {
        return i / 1000 % 3 == 0 ? SCAN + i : skewed(random);
      }
    },
    HOT_SET_THAT_MOVES(80_973) {
      @Override
      int block(int i, SplittableRandom random) {
        return (skewed(random) + i / 20_000 * 3000) % BLOCKS;
      }
    },
    LOOP(76_054) {
      @Override
      int block(int i, SplittableRandom random) {
        return i % (BLOCKS / 8);
      }
    },
    UNIFORM(15_889) {
      @Override
      int block(int i, SplittableRandom random) {
        return random.nextInt(BLOCKS);
      }
    },
    READ_AGAIN_SOON(66_111) {
      @Override
      int block(int i, SplittableRandom random) {
        return Math.max(0, random.nextInt(4) == 0 ? i : i - random.nextInt(2000));
      }
    };

    private final int hits;

    Trace(int hits) {
      this.hits = hits;
    }

    /** Returns the block of the i-th read. */
    abstract int block(int i, SplittableRandom random);

    /** Returns the lower the number, the more often. */
    static int skewed(SplittableRandom random) {
      double uniform = random.nextDouble();
      return (int) (uniform * uniform * uniform * uniform * BLOCKS);
    }
  }

  /** Most blocks are of about 64 KiB, some small, few large. */
  private static int length(int block) {
    int kind = (block * 0x9E3779B1 >>> 8) % 20;
    return kind == 0 ? 10 * AVERAGE : kind < 5 ? 2000 + kind : AVERAGE / 2 + kind * 3000;
  }

  private static int hits(Trace trace) {
    SplittableRandom random = new SplittableRandom(trace.ordinal());
    PolicySimulation policy = new PolicySimulation(CAPACITY, BLOCKS);
    Map<Integer, Integer> entries = new HashMap<>();
    Map<Integer, Integer> blocks = new HashMap<>();
    int hits = 0;
    for (int i = 0; i < READS; i++) {
      int block = trace.block(i, random);
      Integer entry = entries.get(block);
      if (entry != null) {
        policy.hit(entry);
        hits++;
        continue;
      }
      int length = length(block);
      int gone = policy.evictFor(length);
      while (gone != PolicySimulation.NONE) {
        entries.remove(blocks.remove(gone));
        gone = policy.evictFor(length);
      }
      int added = policy.add(block / 1000, block, length);
      entries.put(block, added);
      blocks.put(added, block);
    }
    return hits;
  }

  @ParameterizedTest
  @EnumSource(Trace.class)
  void asManyBlocksAreFoundAsBefore(Trace trace) {
    assertThat(hits(trace)).isEqualTo(trace.hits);
  }
}
