package org.fastpath.bench.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Zipf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestsTest {
  private static final TableName NAME = TableName.valueOf("fake");

  private static final double AS_MANY_AS_CAN_BE = Double.POSITIVE_INFINITY;

  private final SplittableRandom random = new SplittableRandom(3);
  private final FakeTable fake = new FakeTable(10);

  private static DataTable.Shape shape(int rows, int valueBytes) {
    return new DataTable.Shape(rows, valueBytes, 1);
  }

  @Test
  void aMultiGetHasAFavouriteRow() throws IOException {
    RequestLoad.Request gets = new Requests(shape(100, 10), 3).multiGet(50);

    assertThat(gets.send(fake.table(), random)).isEqualTo(50);
    int favourite = Zipf.scattered(100, 3).item(0);
    assertThat(fake.rows).hasSize(50).allMatch(row -> row >= 0 && row < 100);
    assertThat(fake.rows.stream().filter(row -> row == favourite).count()).isGreaterThan(25);
  }

  @Test
  void aValueCutShortIsAnError() {
    RequestLoad.Request gets = new Requests(shape(100, 11), 1).multiGet(5);

    assertThatThrownBy(() -> gets.send(fake.table(), random))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("truncated value");
  }

  @Test
  void aScanIsARangeWithinTheTable() throws IOException {
    RequestLoad.Request scan = new Requests(shape(1050, 10), 0.5).scan(100, 0, 0);

    for (int i = 0; i < 50; i++) {
      assertThat(scan.send(fake.table(), random)).isEqualTo(100);
    }
    assertThat(fake.ranges)
        .allSatisfy(
            range -> {
              assertThat(range.end() - range.first()).isEqualTo(100);
              assertThat(range.first() % 100).isZero();
              assertThat(range.end()).isLessThanOrEqualTo(1050);
            });
  }

  @Test
  void rowsThatAScanMissesAreAnError() {
    fake.missed = 1;
    RequestLoad.Request scan = new Requests(shape(1000, 10), 0.5).scan(100, 0, 0);

    assertThatThrownBy(() -> scan.send(fake.table(), random))
        .isInstanceOf(IOException.class)
        .hasMessage("a scan of 100 rows read 99 and found 0");
  }

  @Test
  void aGetIsOneRow() throws IOException {
    RequestLoad.Request get = new Requests(shape(100, 10), 0).get();

    assertThat(get.send(fake.table(), random)).isEqualTo(1);
    assertThat(fake.rows).hasSize(1);
  }

  @Test
  void aScanCountsWhatPassesItsFilter() throws IOException {
    Requests requests = new Requests(shape(1000, 10), 0);
    fake.passed = 99;

    assertThat(requests.scan(100, 0.9, 0).send(fake.table(), random)).isEqualTo(100);
    assertThatThrownBy(() -> requests.scan(100, 1, 0).send(fake.table(), random))
        .hasMessage("a scan of 100 rows read 100 and found 99");
    assertThatThrownBy(() -> requests.scan(100, 0, 0).send(fake.table(), random))
        .hasMessage("a scan of 100 rows read 100 and found 99");
    fake.passed = 100;
    assertThat(requests.scan(100, 1, 0).send(fake.table(), random)).isEqualTo(100);
  }

  @Test
  void scansBesideGetsCountNoRowsAndNoLatency() throws IOException {
    RequestLoad.Request gets = new Requests(shape(1000, 10), 0.99).getBesideScans(4, 100);
    fake.passed = 100;
    int rows = 0;
    for (int i = 0; i < 400; i++) {
      rows += gets.send(fake.table(), random);
    }

    assertThat(rows).isEqualTo(fake.rows.size()).isEqualTo(300);
    assertThat(fake.ranges)
        .hasSize(400 - rows)
        .allMatch(range -> range.end() == range.first() + 100 && range.end() <= 1000);
    AtomicLong sent = new AtomicLong();
    try (RequestLoad load =
        load(1, AS_MANY_AS_CAN_BE, (table, own) -> (int) (sent.incrementAndGet() % 2))) {
      while (sent.get() < 100) {
        Thread.onSpinWait();
      }
      load.stop();
      assertThat(load.latencies().getTotalCount()).isEqualTo((sent.get() + 1) / 2);
    }
  }

  @Test
  void aTableThatIsShorterThanAScanIsScannedWhole() throws IOException {
    fake.passed = 30;

    new Requests(shape(30, 10), 0.99).getBesideScans(1, 100).send(fake.table(), random);

    assertThat(fake.ranges).containsExactly(new FakeTable.Range(0, 30));
  }

  @Test
  void aPacedScanKeepsStepAndGoesRound() throws IOException {
    DataTable.Shape shape = shape(10, 1 << 20);
    AtomicLong others = new AtomicLong();
    // Three rows make a piece of 4 MB.
    RequestLoad.Request scan = new Requests(shape, 0).pacedScan(5, 0.5, others::get);

    assertThat(scan.send(fake.table(), random)).isZero();
    others.set(5);
    assertThat(scan.send(fake.table(), random)).isZero();
    others.set(6);
    assertThat(scan.send(fake.table(), random)).isEqualTo(3);
    assertThat(scan.send(fake.table(), random)).isZero();
    others.set(100);
    scan.send(fake.table(), random);
    scan.send(fake.table(), random);
    assertThat(fake.ranges)
        .containsExactly(
            new FakeTable.Range(5, 8), new FakeTable.Range(8, 10), new FakeTable.Range(0, 3));
  }

  private RequestLoad load(int clients, double perSecond, RequestLoad.Request request) {
    return new RequestLoad(fake.connection(), NAME, request, clients, 1, perSecond);
  }

  @Test
  void clientsReadUntilTheyAreStopped() throws IOException {
    AtomicLong sent = new AtomicLong();
    try (RequestLoad load =
        load(
            3,
            AS_MANY_AS_CAN_BE,
            (table, own) -> {
              sent.incrementAndGet();
              return 7;
            })) {
      while (sent.get() < 100) {
        Thread.onSpinWait();
      }
      load.stop();

      assertThat(load.rows()).isEqualTo(7 * sent.get());
      assertThat(load.latencies().getTotalCount()).isEqualTo(sent.get());
      assertThat(load.latencies().getTotalCount()).isZero();
    }
  }

  /**
   * A thousand requests a second are due, and two clients can do four hundred. So they fall behind.
   */
  @Test
  void whatIsDueAndWaitsForAClientIsLate() throws IOException {
    AtomicLong sent = new AtomicLong();
    try (RequestLoad load =
        load(
            2,
            1000,
            (table, own) -> {
              Pause.millis(5);
              return (int) sent.incrementAndGet();
            })) {
      while (sent.get() < 100) {
        Thread.onSpinWait();
      }
      load.stop();
      assertThat(load.latencies().getMaxValue()).isGreaterThan(100_000_000);
    }
  }

  @Test
  void atARateClientsRest() throws IOException {
    AtomicLong sent = new AtomicLong();
    long begin = System.nanoTime();
    try (RequestLoad load = load(3, 200, (table, own) -> (int) sent.incrementAndGet())) {
      while (sent.get() < 21) {
        Thread.onSpinWait();
      }
      assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(99_000_000);
      load.stop();
    }
  }

  @Test
  void aClientThatFailsFailsTheLoad() throws InterruptedException {
    CountDownLatch sent = new CountDownLatch(1);
    try (RequestLoad load =
        load(
            2,
            AS_MANY_AS_CAN_BE,
            (table, own) -> {
              sent.countDown();
              throw new IOException("no such row");
            })) {
      // A client that is stopped before its first request has nothing that could fail.
      sent.await();
      assertThatThrownBy(load::stop).isInstanceOf(IOException.class).hasMessage("no such row");
    }
  }

  @Test
  void clientsThatWaitSendNothing() throws IOException {
    AtomicLong sent = new AtomicLong();
    try (RequestLoad load =
        RequestLoad.waiting(
            fake.connection(), NAME, (table, own) -> (int) sent.incrementAndGet(), 3, 1)) {
      assertThat(sent.get()).isZero();
      load.resume();
      while (sent.get() < 100) {
        Thread.onSpinWait();
      }
      load.pause();
      long before = sent.get();
      assertThat(load.latencies().getTotalCount()).isEqualTo(before);
      Pause.millis(20);
      assertThat(sent.get()).isEqualTo(before);
      load.stop();
    }
  }
}
