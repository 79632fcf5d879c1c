package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The set contains the added offsets and not more than its limit. */
class VerifiedOffsetsTest {
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());

  private final VerifiedOffsets offsets = new VerifiedOffsets();

  @Test
  void remembersWhatWasAdded() {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    Random random = new Random(SEED);
    Set<Integer> added = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      int offset = random.nextInt(1 << (1 + random.nextInt(30)));
      assertThat(offsets.contains(offset)).isEqualTo(added.contains(offset));
      if (random.nextBoolean()) {
        offsets.add(offset);
        added.add(offset);
      }
    }
    assertThat(added).allMatch(offsets::contains);
    assertThat(offsets.size()).isEqualTo(added.size());
  }

  @Test
  void hasTheEndsOfTheLargestMapping() {
    offsets.add(0);
    offsets.add(Integer.MAX_VALUE - 1);
    assertThat(offsets.contains(0)).isTrue();
    assertThat(offsets.contains(Integer.MAX_VALUE - 1)).isTrue();
    assertThat(offsets.contains(1)).isFalse();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < VerifiedOffsets.MAX + 1000; i++) {
      offsets.add(i * 64);
    }
    assertThat(offsets.size()).isEqualTo(VerifiedOffsets.MAX);
    assertThat(offsets.contains(0)).isTrue();
    assertThat(offsets.contains((VerifiedOffsets.MAX + 999) * 64)).isFalse();
  }
}
