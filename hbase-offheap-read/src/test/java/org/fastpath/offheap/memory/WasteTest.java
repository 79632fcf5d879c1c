package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures the unused memory when a block finds no room, and the share of blocks in parts. Blocks
 * are evicted at random, which is the worst order. The memory is filled ten times over; the last
 * five count.
 */
class WasteTest {
  private static final long BYTES = 1L << 30;
  private static final long WARM_UP = 5 * BYTES;
  private static final long END = 10 * BYTES;

  private CacheMemory memory;
  private ExtentAllocator allocator;

  enum Mix {
    TEN_KB_VALUES(random -> (64 << 10) + random.nextInt(12 << 10), 0.03),
    ONE_KB_VALUES(random -> (64 << 10) + random.nextInt(2 << 10), 0.01),
    COMPRESSED(random -> (10 << 10) + random.nextInt(20 << 10), 0.10),
    INDEX_AND_LARGE(Mix::indexAndLarge, 0.04);

    private final ToIntFunction<SplittableRandom> length;
    private final double inParts;

    Mix(ToIntFunction<SplittableRandom> length, double inParts) {
      this.length = length;
      this.inParts = inParts;
    }

    private static int indexAndLarge(SplittableRandom random) {
      int kind = random.nextInt(100);
      if (kind < 40) {
        return (1 << 10) + random.nextInt(3 << 10);
      }
      return kind < 98 ? (64 << 10) + random.nextInt(2 << 10) : (1 << 20) + random.nextInt(3 << 20);
    }
  }

  @BeforeEach
  void open() {
    memory = CacheMemory.direct(BYTES);
    allocator = new ExtentAllocator(memory);
  }

  @AfterEach
  void close() {
    memory.close();
  }

  @ParameterizedTest
  @EnumSource
  void atMostTwoPercentAreWasted(Mix mix) {
    SplittableRandom random = new SplittableRandom(11);
    Live live = new Live();
    Sums sums = new Sums();
    for (long placed = 0; placed < END; ) {
      int length = mix.length.applyAsInt(random);
      long location = allocator.allocate(length);
      while (location == ExtentAllocator.NONE) {
        sums.refused(placed > WARM_UP);
        allocator.free(live.removeAny(random));
        location = allocator.allocate(length);
      }
      live.add(location);
      sums.placed(placed > WARM_UP, allocator.parts(location));
      placed += length;
    }
    allocator.validate();
    System.out.println(mix + ": " + sums);
    assertThat(sums.worst).isLessThanOrEqualTo(0.02);
    assertThat(sums.inParts()).isLessThan(mix.inParts);
  }

  private static final class Live {
    private final long[] locations = new long[1 << 18];
    private int count;

    void add(long location) {
      locations[count++] = location;
    }

    long removeAny(SplittableRandom random) {
      int i = random.nextInt(count);
      long location = locations[i];
      locations[i] = locations[--count];
      return location;
    }
  }

  private final class Sums {
    private double waste;
    private double worst;
    private long rejections;
    private long blocks;
    private long blocksInParts;
    private long parts;

    void refused(boolean counts) {
      if (counts) {
        waste += allocator.fragmentation();
        worst = Math.max(worst, allocator.fragmentation());
        rejections++;
      }
    }

    void placed(boolean counts, int ofParts) {
      if (counts) {
        blocks++;
        parts += ofParts;
        blocksInParts += ofParts > 1 ? 1 : 0;
      }
    }

    double inParts() {
      return (double) blocksInParts / blocks;
    }

    @Override
    public String toString() {
      return String.format(
          "wasted %.2f %%, at worst %.2f %%; %.2f %% of blocks in parts, parts per block %.3f",
          100 * waste / rejections, 100 * worst, 100 * inParts(), (double) parts / blocks);
    }
  }
}
