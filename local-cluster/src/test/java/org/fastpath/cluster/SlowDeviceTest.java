package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The queue of a device. A machine may be slow, so times have only lower bounds. */
class SlowDeviceTest {
  private static final int MEBIBYTE = 1 << 20;

  @Test
  void concurrentOperationsShareTheBandwidth() {
    SlowDevice device = new SlowDevice(VolumeSpeed.bytesPerSecond(100 * MEBIBYTE));
    long begin = System.nanoTime();
    together(4, () -> serve(device, 5, MEBIBYTE));
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(200);
  }

  @Test
  void operationsAreLimitedInNumberToo() {
    SlowDevice device = new SlowDevice(VolumeSpeed.unlimited().operationsPerSecond(100));
    long begin = System.nanoTime();
    together(2, () -> serve(device, 5, 1));
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(100);
  }

  /** Latency does not occupy the device: the time line is the same as without it. */
  @Test
  void latencyIsOfEachOperationAlone() {
    VolumeSpeed slow = VolumeSpeed.unlimited().latency(Duration.ofMillis(40));
    assertThat(slow.occupiedNanos(MEBIBYTE, VolumeSpeed.Access.WRITE)).isZero();
    long begin = System.nanoTime();
    serve(new SlowDevice(slow), 2, MEBIBYTE);
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(80);
  }

  /** Two operations of 10 ms each, whatever the machine made of the waits between them. */
  @Test
  void itIsBusyForWhatItHasServed() {
    SlowDevice device = new SlowDevice(VolumeSpeed.unlimited().operationsPerSecond(100));
    assertThat(device.busyNanos()).isZero();
    serve(device, 2, 1);
    assertThat(Duration.ofNanos(device.busyNanos())).isEqualTo(Duration.ofMillis(20));
  }

  /** The first mebibyte is held; what comes then waits until no more than that is to be written. */
  @Test
  void aWriteWaitsForWhatIsBeyondTheWriteBack() {
    SlowDevice device =
        new SlowDevice(VolumeSpeed.bytesPerSecond(MEBIBYTE / 3600.0).writeBack(MEBIBYTE));
    serve(device, 1, MEBIBYTE);
    assertThat(device.busyNanos()).isLessThan(Duration.ofMinutes(10).toNanos());
    CompletableFuture<Void> second = CompletableFuture.runAsync(() -> serve(device, 1, MEBIBYTE));
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(() -> await(device, device.enter(1, VolumeSpeed.Access.DIRECT)));
    assertThat(second).isNotDone();
    assertThat(reader).isNotDone();
    device.speed(VolumeSpeed.unlimited());
    second.join();
    reader.join();
  }

  /** Of 21 writes of 10 ms the first is held, in the end as at the beginning. */
  @Test
  void writesGoOnAtTheBandwidthWhenTheWriteBackIsFull() {
    SlowDevice device =
        new SlowDevice(VolumeSpeed.bytesPerSecond(100 * MEBIBYTE).writeBack(MEBIBYTE));
    long begin = System.nanoTime();
    serve(device, 21, MEBIBYTE);
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(200);
  }

  /** Eight writes of half a turn each, a change of a directory that costs none, and a read. */
  @Test
  void whatIsHeldIsPutTogether() {
    SlowDevice device =
        new SlowDevice(
            VolumeSpeed.unlimited().operationsPerSecond(100).writeBack(MEBIBYTE, 2 * 4096));
    serve(device, 8, 4096);
    serve(device, 1, 0);
    await(device, device.enter(4096, VolumeSpeed.Access.DIRECT));
    assertThat(Duration.ofNanos(device.busyNanos())).isEqualTo(Duration.ofMillis(50));
  }

  /** A turn of a quarter of an hour for each half of the write-back: four quarters fill it. */
  @Test
  void whatIsPutTogetherIsHeldToTheLastByte() {
    SlowDevice device =
        new SlowDevice(
            VolumeSpeed.bytesPerSecond(MEBIBYTE / 3600.0)
                .operationsPerSecond(1 / 900.0)
                .writeBack(MEBIBYTE, MEBIBYTE / 2));
    serve(device, 4, MEBIBYTE / 4);
    CompletableFuture<Void> more = CompletableFuture.runAsync(() -> serve(device, 1, MEBIBYTE));
    assertThat(more).isNotDone();
    device.speed(VolumeSpeed.unlimited());
    more.join();
  }

  @Test
  void whatIsReadWaitsForWhatIsHeld() {
    SlowDevice device =
        new SlowDevice(VolumeSpeed.bytesPerSecond(100 * MEBIBYTE).writeBack(20 * MEBIBYTE));
    long begin = System.nanoTime();
    serve(device, 20, MEBIBYTE);
    await(device, device.enter(1, VolumeSpeed.Access.DIRECT));
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(200);
  }

  /** It takes its turns in pieces, and its time from writers. */
  @Test
  void whatIsReadAheadGoesBeforeWhatIsHeld() {
    SlowDevice device =
        new SlowDevice(VolumeSpeed.bytesPerSecond(MEBIBYTE / 3600.0).writeBack(MEBIBYTE, MEBIBYTE));
    serve(device, 1, MEBIBYTE);
    await(device, device.enter(MEBIBYTE / 3600, VolumeSpeed.Access.READ_AHEAD));
    assertThat(VolumeSpeed.unlimited().operationsPerSecond(1).writeBack(0, 4096))
        .returns(
            Duration.ofSeconds(2).toNanos(),
            speed -> speed.occupiedNanos(8192, VolumeSpeed.Access.READ_AHEAD));
    CompletableFuture<Void> more = CompletableFuture.runAsync(() -> serve(device, 1, MEBIBYTE));
    assertThat(more).isNotDone();
    device.speed(VolumeSpeed.unlimited());
    more.join();
  }

  /** Four pieces of 20 ms, two of them at once. */
  @Test
  void readersThatReadAheadWaitForEachOther() {
    SlowDevice device = new SlowDevice(VolumeSpeed.bytesPerSecond(50 * MEBIBYTE));
    long begin = System.nanoTime();
    together(
        2,
        () -> {
          for (int i = 0; i < 2; i++) {
            await(device, device.enter(MEBIBYTE, VolumeSpeed.Access.READ_AHEAD));
          }
        });
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(80);
  }

  @Test
  void whatIsQueuedWhenTheSpeedChangesHasNotOccupiedIt() {
    SlowDevice device = new SlowDevice(VolumeSpeed.bytesPerSecond(1));
    long begin = System.nanoTime();
    device.enter(MEBIBYTE, VolumeSpeed.Access.DIRECT);
    device.speed(VolumeSpeed.unlimited());
    assertThat(device.busyNanos()).isLessThanOrEqualTo(System.nanoTime() - begin);
  }

  @Test
  void aDeviceThatRecoversDoesNotOweTheTimeThatItWasSlow() {
    SlowDevice device = new SlowDevice(VolumeSpeed.bytesPerSecond(1));
    CompletableFuture<Void> first = CompletableFuture.runAsync(() -> serve(device, 1, MEBIBYTE));
    CompletableFuture<Void> second = CompletableFuture.runAsync(() -> serve(device, 1, MEBIBYTE));
    device.speed(VolumeSpeed.unlimited());
    first.join();
    second.join();
  }

  @Test
  void whatWaitsForAStuckDeviceFailsWithIt() throws InterruptedException {
    SlowDevice device = new SlowDevice(VolumeSpeed.stuck());
    CompletableFuture<Void> waiting = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () ->
                waiting.completeAsync(
                    () -> {
                      serve(device, 1, 1);
                      return null;
                    },
                    Runnable::run));
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    thread.interrupt();
    assertThat(waiting).isNotDone();
    device.speed(VolumeSpeed.failing());
    assertThatThrownBy(waiting::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseInstanceOf(IOException.class);
    thread.join();
  }

  @Test
  void aTableIsTheSameAfterItsWay() {
    DeviceTable table =
        new DeviceTable(
            7,
            List.of(
                new DeviceTable.Device(VolumeSpeed.unlimited(), List.of("/a")),
                new DeviceTable.Device(
                    VolumeSpeed.bytesPerSecond(3e6)
                        .operationsPerSecond(150)
                        .latency(Duration.ofMillis(2))
                        .writeBack(4096, 512)
                        .slower(10),
                    List.of("/a", "/b"))));
    assertThat(DeviceTable.parse(table.format())).isEqualTo(table);
    assertThat(table.devices().get(1).speed())
        .isEqualTo(new VolumeSpeed(3e5, 15, 20_000_000, 4096, 512, VolumeSpeed.Health.WORKING));
  }

  @Test
  void aSpeedMustBeOne() {
    assertThatThrownBy(() -> VolumeSpeed.bytesPerSecond(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0 bytes/s");
    assertThatThrownBy(() -> VolumeSpeed.parse("fast")).hasMessageContaining("'fast'");
  }

  private static void together(int threads, Runnable task) {
    List<CompletableFuture<Void>> running =
        IntStream.range(0, threads).mapToObj(i -> CompletableFuture.runAsync(task)).toList();
    running.forEach(CompletableFuture::join);
  }

  private static void serve(SlowDevice device, int times, long bytes) {
    for (int i = 0; i < times; i++) {
      await(device, device.enter(bytes, VolumeSpeed.Access.WRITE));
    }
  }

  private static void await(SlowDevice device, SlowDevice.Operation operation) {
    try {
      device.await(operation);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static long millisSince(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin).toMillis();
  }
}
