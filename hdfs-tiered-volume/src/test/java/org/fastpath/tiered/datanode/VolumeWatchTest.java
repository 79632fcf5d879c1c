package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Unloggable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the kernel's statistics of devices and their use. */
class VolumeWatchTest {
  private static final String SDA = "   8       0 sda 100 0 2048 10 50 0 4096 20 0 300 30";
  private static final String DM = " 253      17 dm-17 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17";

  @Test
  void readsDevicesOfOldAndNewKernels() {
    Map<String, DeviceStatistics> devices = DeviceStatistics.parse(List.of(SDA, DM));
    assertThat(devices)
        .containsEntry("8:0", new DeviceStatistics(300, 150, 6144))
        .containsEntry("253:17", new DeviceStatistics(10, 6, 10));
    assertThat(devices.get("8:0").work()).isEqualTo(6144L * 512 + 150L * (128 << 10));
  }

  @Test
  void leavesOutWhatItDoesNotUnderstand() {
    assertThat(DeviceStatistics.parse(List.of("", "8 0 sda", SDA.replace("300", "many"))))
        .isEmpty();
  }

  @Test
  void namesDevicesByTheirNumbers() {
    assertThat(DeviceStatistics.name(0xfe00)).isEqualTo("254:0");
    assertThat(DeviceStatistics.name(0x10_3102)).isEqualTo("49:258");
  }

  @Test
  void goesOnWithoutStatistics(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("none");
    VolumeWatch watch = new VolumeWatch(new VolumeRegistry(), missing);
    watch.poll();
    Files.writeString(missing, "not what is expected\n");
    watch.poll();
  }

  @Test
  void aVolumeThatDoesNotAnswerHoldsUpNoOther(@TempDir Path directory) throws Exception {
    VolumeRegistry registry = new VolumeRegistry();
    CountDownLatch answers = new CountDownLatch(1);
    FsVolumeSpi asked =
        FsVolumes.asked(
            StorageType.DISK,
            () -> {
              awaitQuietly(answers);
              return 7;
            });
    DataNodeVolume hanging = registry.of(asked);
    List<FsVolumeSpi> volumes =
        Stream.generate(() -> FsVolumes.of(StorageType.DISK, 42)).limit(8).toList();
    List<DataNodeVolume> others = volumes.stream().map(registry::of).toList();
    VolumeWatch watch = new VolumeWatch(registry, directory.resolve("none"));
    CompletableFuture.runAsync(watch::poll).get(2, TimeUnit.MINUTES);
    Eventually.holds(
        () -> assertThat(others).allMatch(volume -> volume.load().knownAvailableBytes() == 42));
    Eventually.holds(
        () -> {
          hanging.load().observe(System.nanoTime(), VolumeChoiceOptions.defaults());
          assertThat(hanging.load().isStalled()).isTrue();
        });
    answers.countDown();
    Eventually.holds(() -> assertThat(hanging.load().knownAvailableBytes()).isEqualTo(7));
    Eventually.holds(
        () -> {
          hanging.load().observe(System.nanoTime(), VolumeChoiceOptions.defaults());
          assertThat(hanging.load().isStalled()).isFalse();
        });
    // The registry forgets volumes that nobody else knows.
    Reference.reachabilityFence(volumes);
    Reference.reachabilityFence(asked);
  }

  /** A file of statistics whose reading throws. */
  private static Path broken(AtomicInteger reads, Error error) {
    return (Path)
        Proxy.newProxyInstance(
            VolumeWatchTest.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (proxy, method, arguments) -> {
              reads.incrementAndGet();
              throw error;
            });
  }

  private static VolumeChoiceOptions often() {
    Configuration conf = new Configuration(false);
    conf.set(VolumeChoiceOptions.DEVICE_MILLIS, "100");
    return VolumeChoiceOptions.of(conf);
  }

  @Test
  void aFailureThatCannotBeLoggedEndsNoPolls() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    VolumeWatch watch = new VolumeWatch(new VolumeRegistry(), broken(reads, new Unloggable()));
    LatencyAwareVolumeChoosingPolicy<?> policy = new LatencyAwareVolumeChoosingPolicy<>();
    watch.join(policy, often());
    Eventually.holds(() -> assertThat(reads).hasValueGreaterThanOrEqualTo(3));
    Reference.reachabilityFence(policy);
  }

  @Test
  void aPolicyStartsTheThreadAgainIfItHasEnded() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    VolumeWatch watch =
        new VolumeWatch(
            new VolumeRegistry(), broken(reads, new StackOverflowError("thrown by the test")));
    LatencyAwareVolumeChoosingPolicy<?> policy = new LatencyAwareVolumeChoosingPolicy<>();
    Eventually.holds(
        () -> {
          watch.join(policy, often());
          assertThat(reads).hasValueGreaterThanOrEqualTo(2);
        });
    Reference.reachabilityFence(policy);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
