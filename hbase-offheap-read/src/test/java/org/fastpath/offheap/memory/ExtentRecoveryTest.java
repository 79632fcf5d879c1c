package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtentRecoveryTest {
  private static final int REGION = 1 << 20;
  private static final int LENGTH_WORD = 4;

  private CacheMemory memory;
  private ExtentAllocator before;
  private final Claimed claims = new Claimed();

  @BeforeEach
  void open() {
    memory = CacheMemory.direct(4 * REGION, REGION);
    before = new ExtentAllocator(memory);
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private ExtentAllocator rebuild() {
    ExtentAllocator rebuilt = ExtentAllocator.rebuild(memory, false, claims);
    rebuilt.validate();
    assertThat(rebuilt.payloadBytes()).isEqualTo(claims.accepted());
    return rebuilt;
  }

  @Test
  void withoutClaimsAllIsFree() {
    before.allocate(100_000);
    assertThat(rebuild().freeBytes()).isEqualTo(4L * REGION);
  }

  @Test
  void claimsStayWhereTheyAreAndTheRestIsFree() {
    claim(70_000);
    before.allocate(5_000);
    claim(3 * REGION);
    claim(100);
    ExtentAllocator rebuilt = rebuild();
    assertThat(claims.refused).isEmpty();
    assertThat(rebuilt.parts(claims.locations.get(1))).isGreaterThan(2);
    assertThat(rebuilt.freeBytes()).isGreaterThanOrEqualTo(before.freeBytes() + 5_000);
    claims.locations.forEach(rebuilt::free);
    rebuilt.validate();
    assertThat(rebuilt.freeBytes()).isEqualTo(4L * REGION);
    assertThat(rebuilt.largestFree()).isEqualTo(REGION);
  }

  @Test
  void placesOutsideTheMemoryAreRefused() {
    for (long location :
        new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 4L << 30, REGION, REGION - 16, 7}) {
      claims.add(location, 100);
    }
    rebuild();
    assertThat(claims.refused).hasSize(7);
  }

  @Test
  void whatIsFreeIsRefused() {
    long location = before.allocate(100);
    before.free(location);
    claims.add(location, 100);
    rebuild();
    assertThat(claims.refused).containsExactly(0);
  }

  @Test
  void anotherLengthIsRefused() {
    claims.add(before.allocate(70_000), 70_001);
    claims.add(before.allocate(3 * REGION), 3 * REGION - 1);
    rebuild();
    assertThat(claims.refused).containsExactly(0, 1);
  }

  @Test
  void theMiddleOfABlockIsRefused() {
    long whole = before.allocate(2 * REGION);
    long part = before.nextPart(whole);
    claims.add(part, before.partLength(part));
    rebuild();
    assertThat(claims.refused).containsExactly(0);
  }

  @Test
  void theSameBlockTwiceIsRefused() {
    claim(1_000);
    long location = claim(2_000);
    claims.add(location, 2_000);
    rebuild();
    assertThat(claims.refused).containsExactly(1, 2);
  }

  @Test
  void blocksThatShareBytesAreRefusedWithAllTheirParts() {
    long longest = before.allocate(3 * REGION);
    claims.add(longest, 3 * REGION);
    long inside = longest + 32 * 1_000;
    ExtentDescriptor.use(memory, inside, 128, 100, true);
    claims.add(inside, 100);
    long alone = claim(10_000);
    ExtentAllocator rebuilt = rebuild();
    assertThat(claims.refused).containsExactly(0, 1);
    rebuilt.free(alone);
    assertThat(rebuilt.freeBytes()).isEqualTo(4L * REGION);
  }

  @Test
  void severalBlocksInsideOneAreAllRefused() {
    claim(20_000);
    long inside = claims.locations.get(0) + 3_200;
    for (int i = 0; i < 3; i++) {
      ExtentDescriptor.use(memory, inside + i * 640, 128, 100, true);
      claims.add(inside + i * 640, 100);
    }
    rebuild();
    assertThat(claims.refused).containsExactly(0, 1, 2, 3);
  }

  @Test
  void partsThatLeadBackAreRefused() {
    long location = claim(2 * REGION);
    long part = before.nextPart(location);
    memory.putLong(location + 8, location);
    claims.add(part, 100);
    rebuild();
    assertThat(claims.refused).containsExactly(0, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void anythingInHeadersIsSurvived(int run) {
    long seed = Long.getLong("seed", 0x5DEECE66DL * run);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 400; i++) {
      int length = random.nextInt(10) == 0 ? 300_000 : 100 + random.nextInt(20_000);
      long location = before.allocate(length);
      if (location != ExtentAllocator.NONE && random.nextInt(3) > 0) {
        claims.add(location, length);
      } else if (location != ExtentAllocator.NONE && random.nextBoolean()) {
        before.free(location);
      }
    }
    for (int i = 0; i < 20; i++) {
      long location = claims.locations.get(random.nextInt(claims.size()));
      memory.putInt(location + 4 * random.nextInt(4), random.nextInt() >> random.nextInt(32));
    }
    claims.shuffle(random);
    ExtentAllocator rebuilt = rebuild();
    assertThat(claims.refused.size()).isBetween(1, claims.size() / 2);
    for (int i = 0; i < claims.size(); i++) {
      if (!claims.refused.contains(i)) {
        rebuilt.free(claims.locations.get(i));
      }
    }
    rebuilt.validate();
    assertThat(rebuilt.freeBytes()).isEqualTo(4L * REGION);
  }

  @Test
  void aRebuiltAllocatorServesOn() {
    for (int i = 0; i < 50; i++) {
      claim(70_000);
    }
    ExtentAllocator rebuilt = rebuild();
    int more = 0;
    while (rebuilt.allocate(30_000) != ExtentAllocator.NONE) {
      more++;
    }
    rebuilt.validate();
    assertThat(more).isGreaterThan(15);
  }

  @Test
  void aPayloadThatExceedsItsExtentIsRefused() {
    long location = before.allocate(1_000);
    memory.putInt(location + LENGTH_WORD, 2_000);
    claims.add(location, 2_000);
    rebuild();
    assertThat(claims.refused).containsExactly(0);
  }

  private long claim(int length) {
    long location = before.allocate(length);
    claims.add(location, length);
    return location;
  }

  /** The cache's records of its blocks. */
  private static final class Claimed implements ExtentAllocator.Claims {
    private final List<Long> locations = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final Set<Integer> refused = new TreeSet<>();

    void add(long location, int length) {
      locations.add(location);
      lengths.add(length);
    }

    void shuffle(Random random) {
      long seed = random.nextLong();
      Collections.shuffle(locations, new Random(seed));
      Collections.shuffle(lengths, new Random(seed));
    }

    int size() {
      return locations.size();
    }

    long accepted() {
      long[] accepted = new long[size()];
      Arrays.setAll(accepted, i -> refused.contains(i) ? 0 : lengths.get(i));
      return Arrays.stream(accepted).sum();
    }

    @Override
    public int count() {
      return locations.size();
    }

    @Override
    public long location(int claim) {
      return locations.get(claim);
    }

    @Override
    public int length(int claim) {
      return lengths.get(claim);
    }

    @Override
    public void refuse(int claim) {
      assertThat(refused.add(claim)).isTrue();
    }
  }
}
