package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A DataNode of two volumes, taken in turn, of which one is slow from the beginning. */
class SlowVolumesTest {
  private static final int SLOW = 0;
  private static final int FAST = 1;
  private static final int BYTES = 4 << 20;
  private static final VolumeSpeed FOUR_BLOCKS_A_SECOND = VolumeSpeed.bytesPerSecond(4.0 * BYTES);

  private static LocalCluster cluster;
  private static Daemon dataNode;
  private static FileSystem files;
  private static int written;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .hbase(false)
            .volumes("[DISK]", "[DISK]")
            .slowVolume(SLOW, FOUR_BLOCKS_A_SECOND.slower(4))
            .controller(VolumeSpeed.unlimited(), SLOW, FAST)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    dataNode = cluster.daemon(Role.DATANODE, 0);
    Configuration conf = new Configuration();
    cluster.clientConfiguration().forEach(conf::set);
    files = FileSystem.newInstance(conf);
    // Work that happens only once, such as loading classes, must not be measured.
    write();
    write();
  }

  @AfterAll
  static void stop() throws IOException {
    try (LocalCluster closed = cluster) {
      files.close();
    }
  }

  @AfterEach
  void recover() {
    dataNode.slowVolume(SLOW, VolumeSpeed.unlimited());
  }

  @Test
  void onlyItsOwnBlocksAreSlow() {
    dataNode.slowVolume(SLOW, FOUR_BLOCKS_A_SECOND.slower(20));
    List<Write> writes = writes(4);
    assertThat(millis(writes, SLOW)).hasSize(2).allMatch(millis -> millis >= 5000);
    // A busy machine may hold up one of them, too.
    assertThat(millis(writes, FAST)).hasSize(2).anyMatch(millis -> millis < 5000);
  }

  @Test
  void devicesSayWhatTheyHaveDone() throws IOException {
    dataNode.slowVolume(SLOW, FOUR_BLOCKS_A_SECOND);
    List<DeviceUse> before = dataNode.deviceUse();
    writes(2);
    List<DeviceUse> after = dataNode.deviceUse();
    List<DeviceUse> during =
        IntStream.range(0, 3).mapToObj(i -> after.get(i).since(before.get(i))).toList();
    assertThat(during.get(SLOW).writtenBytes()).isBetween((long) BYTES, BYTES + BYTES / 10L);
    assertThat(during.get(FAST).writtenBytes()).isBetween((long) BYTES, BYTES + BYTES / 10L);
    assertThat(during.get(2).writtenBytes())
        .isEqualTo(during.get(SLOW).writtenBytes() + during.get(FAST).writtenBytes());
    assertThat(Duration.ofNanos(during.get(SLOW).busyNanos()))
        .isBetween(Duration.ofMillis(250), Duration.ofMillis(300));
    assertThat(during.get(FAST).busyNanos()).isZero();
    assertThat(cluster.daemon(Role.NAMENODE, 0).deviceUse()).isEmpty();
  }

  @Test
  void slownessEndsWhileBlocksAreWritten() {
    dataNode.slowVolume(SLOW, FOUR_BLOCKS_A_SECOND.slower(4000));
    CompletableFuture<List<Write>> writes = CompletableFuture.supplyAsync(() -> writes(2));
    awaitBlockBeingWritten();
    dataNode.slowVolume(SLOW, VolumeSpeed.unlimited());
    assertThat(millis(writes.join(), SLOW)).hasSize(1);
  }

  @Test
  void whatIsStuckGoesOnWhenTheVolumeDoes() {
    dataNode.slowVolume(SLOW, VolumeSpeed.stuck());
    CompletableFuture<List<Write>> writes = CompletableFuture.supplyAsync(() -> writes(2));
    assertThatThrownBy(() -> writes.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
    dataNode.slowVolume(SLOW, VolumeSpeed.unlimited());
    assertThat(writes.join()).hasSize(2);
  }

  @Test
  void aVolumeFailsAndRecovers() throws IOException {
    dataNode.slowVolume(SLOW, VolumeSpeed.failing());
    assertThatThrownBy(() -> writes(2)).hasRootCauseInstanceOf(IOException.class);
    assertThat(Files.readString(dataNode.log())).contains("Input/output error");
    dataNode.slowVolume(SLOW, VolumeSpeed.unlimited());
    assertThat(writes(2)).hasSize(2);
  }

  @Test
  void aVolumeIsOneOfTheCluster() {
    assertThatThrownBy(() -> dataNode.slowVolume(2, VolumeSpeed.stuck()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no volume 2: a DataNode has 2");
    assertThatThrownBy(
            () -> cluster.daemon(Role.NAMENODE, 0).slowVolume(0, VolumeSpeed.unlimited()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("namenode has no model of slow volumes");
    assertThatThrownBy(
            () -> LocalCluster.builder().controller(VolumeSpeed.unlimited(), 0, 1).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no volume 1: a DataNode has 1");
  }

  /** A file of one block: the volume it went to, and the time that it took. */
  private record Write(int volume, long millis) {}

  private static List<Long> millis(List<Write> writes, int volume) {
    return writes.stream().filter(write -> write.volume() == volume).map(Write::millis).toList();
  }

  private static List<Write> writes(int count) {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      try {
        writes.add(write());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return writes;
  }

  private static Write write() throws IOException {
    List<Path> before = blocks("finalized");
    long begin = System.nanoTime();
    try (OutputStream out = files.create(new org.apache.hadoop.fs.Path("/file" + written++))) {
      out.write(new byte[BYTES]);
    }
    long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
    List<Path> after = new ArrayList<>(blocks("finalized"));
    after.removeAll(before);
    int volume =
        IntStream.of(SLOW, FAST)
            .filter(i -> after.get(0).startsWith(dataNode.dataDirectories().get(i)))
            .findAny()
            .orElseThrow();
    return new Write(volume, millis);
  }

  private static void awaitBlockBeingWritten() {
    while (blocks("rbw").isEmpty()) {
      Thread.onSpinWait();
    }
  }

  /** Returns the files of blocks in that state. */
  private static List<Path> blocks(String state) {
    List<Path> found = new ArrayList<>();
    for (Path volume : dataNode.dataDirectories()) {
      try (Stream<Path> files = Files.find(volume, 20, (file, is) -> is.isRegularFile())) {
        files
            .filter(file -> file.toString().contains("/" + state + "/"))
            .filter(file -> !file.toString().endsWith(".meta"))
            .forEach(found::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found;
  }
}
