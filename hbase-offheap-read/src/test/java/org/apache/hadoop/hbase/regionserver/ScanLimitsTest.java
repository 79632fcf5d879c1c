package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.regionserver.ScannerContext.NextState;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.fastpath.offheap.reader.CoarseClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the time of one test is that of the whole JVM")
class ScanLimitsTest {
  private static final long MINUTE = 60_000;
  private static final int LOOKS = 10_000;

  private static ScannerContext endingIn(long millis) {
    return ScannerContext.newBuilder(true)
        .setTimeLimit(LimitScope.BETWEEN_CELLS, EnvironmentEdgeManager.currentTime() + millis)
        .setBatchLimit(3)
        .build();
  }

  @Test
  void timeIsReachedWhenItIsNotBefore() throws InterruptedException {
    ScanLimits limits = new ScanLimits(endingIn(2_000));
    assertThat(limits.checkTimeLimit(LimitScope.BETWEEN_CELLS)).isFalse();
    assertThat(new ScanLimits(endingIn(MINUTE)).checkTimeLimit(LimitScope.BETWEEN_CELLS)).isFalse();
    long begin = System.nanoTime();
    while (!limits.checkTimeLimit(LimitScope.BETWEEN_CELLS)) {
      assertThat(System.nanoTime() - begin).isLessThan(MINUTE * 1_000_000);
      Thread.sleep(1);
    }
    assertThat(limits.checkAnyLimitReached(LimitScope.BETWEEN_CELLS)).isTrue();
  }

  @Test
  void rowsThatAreSkippedAndScopesThatAreTooNarrowAreNotChecked() {
    ScannerContext asked = endingIn(-MINUTE);
    asked.setTimeLimitScope(LimitScope.BETWEEN_ROWS);
    ScanLimits limits = new ScanLimits(asked);
    for (int look = 0; look < LOOKS; look++) {
      assertThat(limits.checkTimeLimit(LimitScope.BETWEEN_CELLS)).isFalse();
      assertThat(limits.checkTimeLimit(LimitScope.BETWEEN_ROWS)).isTrue();
    }
    limits.setSkippingRow(true);
    for (int look = 0; look < LOOKS; look++) {
      assertThat(limits.checkTimeLimit(LimitScope.BETWEEN_ROWS)).isFalse();
    }
  }

  @Test
  void whatACallSetsIsSeenByWhoAsked() {
    ScannerContext asked = endingIn(MINUTE);
    asked.setBatchProgress(1);
    ScanLimits limits = new ScanLimits(asked);
    limits.begin();
    assertThat(limits.getKeepProgress()).isTrue();
    assertThat(limits.getBatchProgress()).isEqualTo(1);
    limits.incrementBatchProgress(2);
    limits.incrementSizeProgress(10, 20);
    limits.incrementBlockProgress(30);
    KeyValue peeked = new KeyValue(new byte[] {1}, 1L);
    limits.setLastPeekedCell(peeked);
    limits.setScannerState(NextState.BATCH_LIMIT_REACHED);
    limits.setSizeLimitScope(LimitScope.BETWEEN_CELLS);
    limits.end();
    assertThat(asked.checkBatchLimit(LimitScope.BETWEEN_CELLS)).isTrue();
    assertThat(asked.getDataSizeProgress()).isEqualTo(10);
    assertThat(asked.getHeapSizeProgress()).isEqualTo(20);
    assertThat(asked.getBlockSizeProgress()).isEqualTo(30);
    assertThat(asked.getLastPeekedCell()).isSameAs(peeked);
    assertThat(asked.mayHaveMoreCellsInRow()).isTrue();
    assertThat(asked.getKeepProgress()).isTrue();
    assertThat(asked.getSkippingRow()).isFalse();
    assertThat(asked.checkTimeLimit(LimitScope.BETWEEN_ROWS)).isFalse();
  }

  @Test
  void whoAskedDoesNotLookAtATimeThatIsFar() {
    ScannerContext asked = endingIn(MINUTE);
    long time = asked.getTimeLimit();
    ScanLimits limits = new ScanLimits(asked);
    int looks = 0;
    for (int row = 0; row < LOOKS; row++) {
      limits.begin();
      assertThat(limits.getTimeLimit()).isEqualTo(time);
      limits.end();
      looks += asked.hasTimeLimit(LimitScope.BETWEEN_ROWS) ? 1 : 0;
      assertThat(asked.checkAnyLimitReached(LimitScope.BETWEEN_ROWS)).isFalse();
    }
    assertThat(looks).isBetween(1, LOOKS / 100);
  }

  /** PHOENIX-5117: a coprocessor gives the context of a request to two scanners. */
  @Test
  void twoScannersOfOneRequestHaveItsTimeLimit() {
    ScannerContext asked = endingIn(MINUTE);
    long time = asked.getTimeLimit();
    ScanLimits first = new ScanLimits(asked);
    first.begin();
    first.end();
    assertThat(asked.hasTimeLimit(LimitScope.BETWEEN_ROWS)).isFalse();
    assertThat(ScanLimits.apply(asked)).isTrue();
    ScanLimits second = new ScanLimits(asked);
    for (int row = 0; row < LOOKS; row++) {
      ScanLimits reader = row % 3 == 0 ? first : second;
      reader.begin();
      assertThat(reader.getTimeLimit()).isEqualTo(time);
      assertThat(reader.hasTimeLimit(LimitScope.BETWEEN_ROWS)).isTrue();
      reader.end();
    }
  }

  @Test
  void limitsWithoutATimeStayWithout() {
    ScannerContext asked = ScannerContext.newBuilder().setBatchLimit(1).build();
    assertThat(ScanLimits.apply(asked)).isFalse();
    assertThat(asked.getTimeLimit()).isEqualTo(-1);
  }

  @Test
  void whoAskedLooksAtATimeThatIsNear() throws InterruptedException {
    while (CoarseClock.millis() < EnvironmentEdgeManager.currentTime() - 20) {
      Thread.sleep(1);
    }
    ScannerContext asked = endingIn(10);
    ScanLimits limits = new ScanLimits(asked);
    for (int row = 0; row < LOOKS; row++) {
      limits.begin();
      limits.end();
      assertThat(asked.hasTimeLimit(LimitScope.BETWEEN_ROWS)).isTrue();
    }
  }

  /** The clock between the exact checks may stand still. */
  @Test
  void whoAskedSeesThatTimeWasReached() throws InterruptedException {
    ScannerContext asked = endingIn(MINUTE);
    ScanLimits limits = new ScanLimits(asked);
    EnvironmentEdgeManager.injectEdge(() -> asked.getTimeLimit());
    try {
      limits.begin();
      boolean reached = false;
      for (int look = 0; look < LOOKS && !reached; look++) {
        reached = limits.checkTimeLimit(LimitScope.BETWEEN_CELLS);
      }
      limits.end();
      assertThat(reached).isTrue();
      assertThat(asked.checkTimeLimit(LimitScope.BETWEEN_ROWS)).isTrue();
    } finally {
      EnvironmentEdgeManager.reset();
      while (CoarseClock.millis() > EnvironmentEdgeManager.currentTime()) {
        Thread.sleep(1);
      }
    }
  }

  @Test
  void scanThatIsToStreamReturnsAtOnce() {
    ScannerContext asked = endingIn(MINUTE);
    ScanLimits limits = new ScanLimits(asked);
    limits.begin();
    limits.returnImmediately();
    assertThat(limits.checkTimeLimit(LimitScope.BETWEEN_CELLS)).isTrue();
    limits.end();
    assertThat(asked.checkTimeLimit(LimitScope.BETWEEN_ROWS)).isTrue();
  }

  /** Two scanners of HBase with one context do the same. */
  @Test
  void aScannerReturnsAtOnceWhereAnotherOneOfItsRequestIsToStream() {
    ScannerContext asked = endingIn(MINUTE);
    ScanLimits first = new ScanLimits(asked);
    first.begin();
    first.end();
    assertThat(asked.hasTimeLimit(LimitScope.BETWEEN_ROWS)).isFalse();
    asked.returnImmediately();
    first.begin();
    assertThat(first.checkTimeLimit(LimitScope.BETWEEN_CELLS)).isTrue();
    first.end();
    ScanLimits second = new ScanLimits(asked);
    second.begin();
    assertThat(second.checkTimeLimit(LimitScope.BETWEEN_CELLS)).isTrue();
    second.end();
    ScannerContext withoutTime = ScannerContext.newBuilder().setBatchLimit(1).build();
    withoutTime.returnImmediately();
    assertThat(ScanLimits.apply(withoutTime)).isFalse();
  }

  @Test
  void applyToHBasesOwnLimitsThatHaveATime() {
    assertThat(ScanLimits.apply(endingIn(MINUTE))).isTrue();
    assertThat(ScanLimits.apply(ScannerContext.newBuilder().setBatchLimit(1).build())).isFalse();
    assertThat(ScanLimits.apply(NoLimitScannerContext.getInstance())).isFalse();
    assertThat(ScanLimits.apply(new ScanLimits(endingIn(MINUTE)))).isFalse();
  }

  @Test
  void metricsAreTheSame() {
    ScannerContext asked = ScannerContext.newBuilder().setTrackMetrics(true).build();
    assertThat(new ScanLimits(asked).getMetrics()).isSameAs(asked.getMetrics());
    assertThat(new ScanLimits(endingIn(MINUTE)).isTrackingMetrics()).isFalse();
  }
}
