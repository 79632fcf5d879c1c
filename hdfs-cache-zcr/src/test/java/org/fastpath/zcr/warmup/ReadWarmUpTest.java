package org.fastpath.zcr.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.junit.jupiter.api.Test;

/** A failure does not delay the start. {@code MappedBlocksLiveTest} has what works. */
class ReadWarmUpTest {
  private final Configuration conf = new Configuration(false);
  private RegionServerServices online;

  private RegionServerCoprocessorEnvironment environment() {
    return (RegionServerCoprocessorEnvironment)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RegionServerCoprocessorEnvironment.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConfiguration")) {
                return conf;
              }
              if (method.getName().equals("getOnlineRegions") && online != null) {
                return online;
              }
              throw new IllegalStateException("no " + method.getName());
            });
  }

  /** HBase starts it again when it reads its configuration again. */
  @Test
  void aServingServerIsNotWarmedUp() {
    List<String> asked = new CopyOnWriteArrayList<>();
    RegionServerServices serving =
        (RegionServerServices)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RegionServerServices.class},
                (proxy, method, arguments) -> {
                  asked.add(method.getName());
                  if (method.getName().equals("getRegions")) {
                    return List.of("a region");
                  }
                  throw new IllegalStateException("no " + method.getName());
                });
    online = serving;
    assertThat(failuresOfStart()).isZero();
    assertThat(asked).containsOnly("getRegions");
  }

  private long failuresOfStart() {
    WarmUpMetrics.register();
    long before = WarmUpMetrics.failures();
    new ReadWarmUp().start(environment());
    return WarmUpMetrics.failures() - before;
  }

  @Test
  void aWrongKeyIsCounted() {
    conf.set("hbase.fastpath.warm-up.seconds", "soon");
    assertThat(failuresOfStart()).isOne();
  }

  @Test
  void aServerThatIsOtherThanExpectedIsCounted() {
    assertThat(failuresOfStart()).isOne();
  }

  @Test
  void workThatEndsIsWaitedFor() {
    CountDownLatch done = new CountDownLatch(1);
    assertThat(ReadWarmUp.endsWithin(Duration.ofMinutes(1), done::countDown)).isTrue();
    assertThat(done.getCount()).isZero();
  }

  @Test
  void workThatDoesNotEndIsInterrupted() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    boolean ended =
        ReadWarmUp.endsWithin(
            Duration.ofMillis(10),
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    assertThat(ended).isFalse();
    interrupted.await();
  }
}
