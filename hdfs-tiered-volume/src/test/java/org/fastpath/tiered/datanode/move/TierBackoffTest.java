package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

class TierBackoffTest {
  private static final Set<StorageType> SSD = Set.of(StorageType.SSD);
  private static final int FILES = 1_000;

  private final AtomicLong now = new AtomicLong();
  private final TierBackoff tiers =
      new TierBackoff(MoveOptions.of(new Configuration(false)), now::get);

  private long tries() {
    return IntStream.range(0, FILES).filter(file -> tiers.mayTry(SSD)).count();
  }

  @Test
  void oneOfAThousandFilesTriesAFullTierAtATime() {
    IntStream.range(0, FILES).forEach(file -> tiers.foundFull(SSD));
    assertThat(tries()).as("of the first pause").isZero();
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(tries()).isOne();
    tiers.foundFull(SSD);
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(tries()).as("the pause is twice as long").isZero();
    assertThat(tiers.mayTry(Set.of(StorageType.DISK))).isTrue();
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(tries()).isOne();
  }

  @Test
  void aTierIsGivenUpAfterSoManyTries() {
    tiers.foundFull(SSD);
    for (int i = 1; i < 10; i++) {
      assertThat(tiers.isExhausted(SSD)).isFalse();
      now.addAndGet(TimeUnit.MINUTES.toNanos(1));
      assertThat(tries()).isOne();
      tiers.foundFull(SSD);
    }
    assertThat(tiers.isExhausted(SSD)).isTrue();
    assertThat(tiers.isExhausted(Set.of())).isFalse();
    tiers.hasRoom(StorageType.SSD);
    assertThat(tiers.isExhausted(SSD)).isFalse();
    assertThat(tries()).isEqualTo(FILES);
  }
}
