package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hit ratios on short traces, beside Caffeine's; the long ones are in the module of benchmarks. */
class HitRatioTest {
  private static final int BLOCKS = 20_000;
  private static final int CACHE = 2_000;
  private static final int READS = 400_000;

  private final Random random = new Random(7);
  private final double[] sums = zipf(0.99);

  @ParameterizedTest
  @ValueSource(ints = {0, 30, 50})
  void zipfWithScans(int percent) {
    int[] scan = {0};
    atLeastCaffeine(
        i -> random.nextInt(100) < percent ? -1 - scan[0]++ % (BLOCKS / 4) : scattered(rank(), 0));
  }

  @Test
  void loop() {
    atLeastCaffeine(i -> i % (CACHE * 11 / 10));
  }

  @Test
  void hotSetThatMoves() {
    atLeastCaffeine(i -> scattered(rank(), i / (READS / 10)));
  }

  @Test
  void recentlyReadIsReadAgain() {
    int[] read = new int[READS];
    atLeastCaffeine(
        i ->
            read[i] = random.nextInt(3) == 0 || i == 0 ? i : read[i - 1 - Math.min(i - 1, rank())]);
  }

  /** Negative blocks belong to a scan and do not count. */
  private void atLeastCaffeine(IntUnaryOperator trace) {
    int[] reads = new int[READS];
    Arrays.setAll(reads, trace);
    double ours = ours(reads);
    double caffeine = caffeine(reads);
    System.out.printf("ours %.2f %%, Caffeine %.2f %%%n", ours, caffeine);
    assertThat(ours).isGreaterThanOrEqualTo(caffeine);
  }

  private static double ours(int[] reads) {
    PolicySimulation policy = new PolicySimulation(CACHE, CACHE);
    Map<Integer, Integer> entries = new HashMap<>();
    int[] blocks = new int[CACHE];
    int hits = 0;
    int all = 0;
    for (int block : reads) {
      Integer entry = entries.get(block);
      if (entry != null) {
        policy.hit(entry);
      } else {
        int gone = policy.evictFor(1);
        if (gone != PolicySimulation.NONE) {
          entries.remove(blocks[gone]);
        }
        int added = policy.add(0, block, 1);
        blocks[added] = block;
        entries.put(block, added);
      }
      all += block < 0 ? 0 : 1;
      hits += block >= 0 && entry != null ? 1 : 0;
    }
    return 100.0 * hits / all;
  }

  private static double caffeine(int[] reads) {
    Cache<Integer, Boolean> cache =
        Caffeine.newBuilder().executor(Runnable::run).maximumSize(CACHE).build();
    int hits = 0;
    int all = 0;
    for (int block : reads) {
      boolean hit = cache.getIfPresent(block) != null;
      if (!hit) {
        cache.put(block, true);
      }
      all += block < 0 ? 0 : 1;
      hits += block >= 0 && hit ? 1 : 0;
    }
    return 100.0 * hits / all;
  }

  private int rank() {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[BLOCKS - 1]);
    return Math.min(BLOCKS - 1, found < 0 ? -found - 1 : found);
  }

  private static int scattered(int rank, int variant) {
    return (int) ((rank * 7_919L + variant * 6_007L) % BLOCKS);
  }

  private static double[] zipf(double exponent) {
    double[] sums = new double[BLOCKS];
    double sum = 0;
    for (int i = 0; i < BLOCKS; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      sums[i] = sum;
    }
    return sums;
  }
}
