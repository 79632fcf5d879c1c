package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

class OverloadTest {
  private static final double CAPACITY = 20 << 20;
  private static final LoadState OVERLOADED =
      new LoadState(true, CAPACITY, 8 * CAPACITY, CAPACITY, 1, 0.9, 0);
  private static final LoadState CALM =
      new LoadState(false, CAPACITY, CAPACITY, CAPACITY, 0, 0, -1);
  private static final int HOUR = 3600;

  private final GuardOptions options = GuardOptions.of(new Configuration(false));
  private final Limits limits = new Limits();
  private int warnings;

  /** Records its calls. */
  private static final class Limits implements WriteThrottle {
    private final List<Long> set = new ArrayList<>();
    private boolean refuses;
    private boolean fails;
    private int lifted;

    @Override
    public boolean limit(long bytesPerSecond) {
      set.add(bytesPerSecond);
      if (fails) {
        throw new IllegalStateException("no quotas");
      }
      return !refuses;
    }

    @Override
    public void lift() {
      lifted++;
    }
  }

  private void run(Overload overload, LoadState state, int from, int to) {
    for (int second = from; second < to; second++) {
      overload.update(state, TimeUnit.SECONDS.toNanos(second), allowed -> warnings++);
    }
  }

  @Test
  void itIsSaidOnceInAWhile() {
    Overload overload = new Overload(options, null);
    run(overload, OVERLOADED, 0, HOUR);
    assertThat(warnings).isEqualTo(2);
  }

  @Test
  void anOverloadThatComesBackSoonIsNotSaidAgain() {
    Overload overload = new Overload(options, null);
    for (int minute = 0; minute < 30; minute += 2) {
      run(overload, OVERLOADED, minute * 60, minute * 60 + 60);
      run(overload, CALM, minute * 60 + 60, minute * 60 + 120);
    }
    assertThat(warnings).isEqualTo(1);
  }

  @Test
  void writesAreThrottledWhileItLasts() {
    Overload overload = new Overload(options, limits);
    run(overload, CALM, 0, 10);
    assertThat(limits.set).isEmpty();
    run(overload, OVERLOADED, 10, 20);
    assertThat(overload.allowed()).isEqualTo(WritePace.limit(OVERLOADED));
    assertThat(limits.set).hasSize(10).containsOnly(overload.allowed());
    run(overload, CALM, 20, 30);
    assertThat(overload.allowed()).isZero();
    assertThat(limits.lifted).isEqualTo(1);
  }

  @Test
  void theThrottleEndsWithTheGuard() {
    Overload overload = new Overload(options, limits);
    run(overload, OVERLOADED, 0, 10);
    overload.close();
    assertThat(limits.lifted).isEqualTo(1);
    assertThat(overload.allowed()).isZero();
  }

  @Test
  void anothersLimitIsLeftAlone() {
    limits.refuses = true;
    Overload overload = new Overload(options, limits);
    run(overload, OVERLOADED, 0, 10);
    run(overload, CALM, 10, 20);
    assertThat(overload.allowed()).isZero();
    assertThat(limits.lifted).isZero();
  }

  @Test
  void aThrottleThatFailsLeavesTheWarning() {
    limits.fails = true;
    Overload overload = new Overload(options, limits);
    run(overload, OVERLOADED, 0, 10);
    assertThat(overload.allowed()).isZero();
    assertThat(warnings).isEqualTo(1);
  }

  /** HBase may still have the earlier limit. */
  @Test
  void aThrottleThatFailsLaterIsLifted() {
    Overload overload = new Overload(options, limits);
    run(overload, OVERLOADED, 0, 5);
    limits.fails = true;
    run(overload, OVERLOADED, 5, 10);
    assertThat(overload.allowed()).isZero();
    run(overload, CALM, 10, 20);
    assertThat(limits.lifted).isOne();
  }

  @Test
  void nobodyIsThrottledToWhatATierThatStandsStillTakes() {
    Overload overload = new Overload(options, limits);
    run(overload, new LoadState(true, 0, CAPACITY, 0, 1, 1, 1), 0, 10);
    assertThat(limits.set).isEmpty();
    assertThat(warnings).isEqualTo(1);
  }

  @Test
  void thePaceIsTheSlowerTheFullerMemStoresAre() {
    assertThat(WritePace.limit(OVERLOADED)).isBetween((long) CAPACITY, (long) (1.2 * CAPACITY));
    LoadState full = new LoadState(true, 0, 0, CAPACITY, 1, 1, 1);
    assertThat(WritePace.limit(full)).isLessThan((long) (0.9 * CAPACITY));
    LoadState tiny = new LoadState(true, 0, 0, 1, 1, 1, 1);
    assertThat(WritePace.limit(tiny)).isEqualTo(256 << 10);
  }

  @Test
  void theWarningSaysWhatWhereAndWhatHelps() {
    TierTraffic traffic = new TierTraffic();
    traffic.add(StorageType.DISK, FileKind.FLUSHED, 200 << 20);
    traffic.add(StorageType.DISK, FileKind.COMPACTED, 100 << 20);
    traffic.add(StorageType.SSD, FileKind.COMPACTED, 1 << 30);
    traffic.passed(10);
    ServerWatch.Counts counts = new ServerWatch.Counts(0, 0, 0);
    assertThat(OverloadReport.of(OVERLOADED, counts, traffic, 0))
        .contains("160.0 MB/s while they are accepted", "flushes to DISK take 20.0 MB/s")
        .contains("90 % of the time", "flushes wrote 20.0 MB/s and compactions 10.0 MB/s to DISK")
        .contains("hbase.hstore.flusher.count", "hbase.fastpath.tier-guard.throttle");
    ServerWatch.Counts full = new ServerWatch.Counts(1, 12, 0);
    assertThat(OverloadReport.of(OVERLOADED, full, new TierTraffic(), 1 << 20))
        .contains("12 stores have hbase.hstore.blockingStoreFiles files")
        .contains("hbase.regionserver.thread.compaction.small", "throttled to 1.0 MB/s");
  }

  /** As one that hung while the guard was closed, and goes on. */
  @Test
  void anUpdateAfterTheCloseThrottlesNothing() {
    Overload overload = new Overload(options, limits);
    run(overload, OVERLOADED, 0, 2);
    overload.close();
    int before = limits.set.size();
    run(overload, OVERLOADED, 2, 4);
    assertThat(limits.set).hasSize(before);
    assertThat(limits.lifted).isOne();
    assertThat(overload.allowed()).isZero();
  }
}
