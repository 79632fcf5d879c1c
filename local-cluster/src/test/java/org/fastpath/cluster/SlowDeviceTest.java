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

/**
 * The queue of a device. A machine may be slow, so that times have lower bounds only: what is too
 * fast is wrong.
 */
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
    assertThat(slow.occupiedNanos(MEBIBYTE)).isZero();
    long begin = System.nanoTime();
    serve(new SlowDevice(slow), 2, MEBIBYTE);
    assertThat(millisSince(begin)).isGreaterThanOrEqualTo(80);
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
                        .slower(10),
                    List.of("/a", "/b"))));
    assertThat(DeviceTable.parse(table.format())).isEqualTo(table);
    assertThat(table.devices().get(1).speed())
        .isEqualTo(new VolumeSpeed(3e5, 15, 20_000_000, VolumeSpeed.Health.WORKING));
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
    try {
      for (int i = 0; i < times; i++) {
        device.await(device.enter(bytes));
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static long millisSince(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin).toMillis();
  }
}
