package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.Test;

/** When the NameNode is asked, and what happens when it does not answer. */
class CachedReplicasTest {
  private static final CachedBytes SOME = new CachedBytes(Map.of("region", Map.of("host", 1L)));
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final CachedReplicaMetrics metrics = CachedReplicaMetrics.shared();
  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger surveys = new AtomicInteger();

  @Test
  void itIsAskedOnceAMinuteAtMost() {
    CachedReplicas replicas = replicas(() -> SOME, LONG);
    assertThat(replicas.ask()).isEqualTo(SOME);
    clock.set(MINUTE - 1);
    assertThat(replicas.ask()).isEqualTo(SOME);
    assertThat(replicas.recent()).isEqualTo(SOME);
    assertThat(surveys).hasValue(1);
    clock.set(MINUTE);
    assertThat(replicas.ask()).isEqualTo(SOME);
    assertThat(surveys).hasValue(2);
  }

  @Test
  void aFailureIsNothingKnownAndAskedAgainAfterAMinute() {
    CachedReplicas replicas =
        replicas(
            () -> {
              if (surveys.get() == 2) {
                throw new IOException("no NameNode");
              }
              return SOME;
            },
            LONG);
    long failures = metrics.failures();
    assertThat(replicas.ask()).isEqualTo(SOME);
    clock.addAndGet(MINUTE);
    assertThat(replicas.ask()).isEqualTo(CachedBytes.NONE);
    assertThat(replicas.ask()).isEqualTo(CachedBytes.NONE);
    assertThat(replicas.recent()).isEqualTo(SOME);
    assertThat(metrics.failures()).isEqualTo(failures + 1);
    clock.addAndGet(MINUTE);
    assertThat(replicas.ask()).isEqualTo(SOME);
    assertThat(metrics.failures()).isEqualTo(failures + 1);
  }

  @Test
  void nobodyWaitsForANameNodeThatHangs() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    Duration patience = Duration.ofMillis(50);
    CachedReplicas replicas =
        replicas(
            () -> {
              answer.await();
              return SOME;
            },
            patience);
    long timeouts = metrics.timeouts();
    assertThat(replicas.recent()).isEqualTo(CachedBytes.NONE);
    assertThat(replicas.ask()).isEqualTo(CachedBytes.NONE);
    clock.addAndGet(10 * MINUTE);
    assertThat(replicas.ask()).isEqualTo(CachedBytes.NONE);
    assertThat(metrics.timeouts()).isEqualTo(timeouts + 2);
    assertThat(surveys).hasValueLessThanOrEqualTo(1);
    answer.countDown();
    Eventually.holds(() -> assertThat(replicas.recent()).isEqualTo(SOME));
  }

  @Test
  void aWrongKeyIsNothingKnown() {
    Configuration conf = new Configuration(false);
    conf.set(PinOptions.REPLICATION, "many");
    assertThat(CachedReplicas.of(conf).ask()).isEqualTo(CachedBytes.NONE);
  }

  @Test
  void balancersShareOne() {
    Configuration conf = new Configuration(false);
    conf.set("hbase.rootdir", "file:///hbase");
    CachedReplicas replicas = CachedReplicas.of(conf);
    assertThat(CachedReplicas.of(new Configuration(conf))).isSameAs(replicas);
    long failures = metrics.failures();
    assertThat(replicas.ask()).isEqualTo(CachedBytes.NONE);
    assertThat(metrics.failures()).isEqualTo(failures + 1);
    conf.set(PinOptions.POOL, "another");
    assertThat(CachedReplicas.of(conf)).isNotSameAs(replicas);
    conf.set(PinOptions.ENABLED, "false");
    assertThat(CachedReplicas.of(conf).ask()).isEqualTo(CachedBytes.NONE);
    assertThat(metrics.failures()).isEqualTo(failures + 1);
  }

  private interface Answer {
    CachedBytes get() throws IOException, InterruptedException;
  }

  private CachedReplicas replicas(Answer answer, Duration patience) {
    return new CachedReplicas(
        () -> {
          surveys.incrementAndGet();
          try {
            return answer.get();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        },
        clock::get,
        patience);
  }
}
