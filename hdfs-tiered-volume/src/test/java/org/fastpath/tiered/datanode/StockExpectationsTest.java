package org.fastpath.tiered.datanode;

import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.RAM_DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests HDFS's expectations of a policy. Ours succeed if the default policy does, and fail like it.
 */
class StockExpectationsTest {
  private static final String STOCK_RESERVE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  @SuppressWarnings("rawtypes")
  private static Stream<Class<? extends VolumeChoosingPolicy>> policies() {
    return Stream.of(
        RoundRobinVolumeChoosingPolicy.class,
        PerTypeRoundRobinVolumeChoosingPolicy.class,
        LatencyAwareVolumeChoosingPolicy.class);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static VolumeChoosingPolicy<FsVolumeSpi> make(
      Class<? extends VolumeChoosingPolicy> policy, Configuration conf) {
    return ReflectionUtils.newInstance(policy, conf);
  }

  @SuppressWarnings("rawtypes")
  private static VolumeChoosingPolicy<FsVolumeSpi> make(
      Class<? extends VolumeChoosingPolicy> policy) {
    Configuration conf = new Configuration(false);
    conf.set(STOCK_RESERVE, "0");
    return make(policy, conf);
  }

  @ParameterizedTest
  @MethodSource("policies")
  @SuppressWarnings("rawtypes")
  void volumesTakeTurnsAndThoseWithoutRoomAreSkipped(Class<? extends VolumeChoosingPolicy> policy)
      throws IOException {
    VolumeChoosingPolicy<FsVolumeSpi> chooser = make(policy);
    List<FsVolumeSpi> volumes = List.of(FsVolumes.of(DISK, 100), FsVolumes.of(DISK, 200));

    assertThat(chooser.chooseVolume(volumes, 1, null)).isSameAs(volumes.get(0));
    assertThat(chooser.chooseVolume(volumes, 1, "")).isSameAs(volumes.get(1));
    assertThat(chooser.chooseVolume(volumes, 1, "DS-x")).isSameAs(volumes.get(0));
    assertThat(chooser.chooseVolume(volumes, 150, null)).isSameAs(volumes.get(1));
    assertThat(chooser.chooseVolume(volumes, 150, null)).isSameAs(volumes.get(1));
  }

  @ParameterizedTest
  @MethodSource("policies")
  @SuppressWarnings("rawtypes")
  void failsAsStockFails(Class<? extends VolumeChoosingPolicy> policy) {
    VolumeChoosingPolicy<FsVolumeSpi> chooser = make(policy);
    List<FsVolumeSpi> volumes = List.of(FsVolumes.of(DISK, 500), FsVolumes.of(DISK, 600));

    assertThatThrownBy(() -> chooser.chooseVolume(volumes, 600, null))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class)
        .hasMessage(
            "Out of space: The volume with the most available space (=600 B) is less than the"
                + " block size (=600 B).");
    assertThatThrownBy(() -> chooser.chooseVolume(new ArrayList<>(), 1, null))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class)
        .hasMessage("No more available volumes");
  }

  @ParameterizedTest
  @MethodSource("policies")
  @SuppressWarnings("rawtypes")
  void theStockReserveIsKept(Class<? extends VolumeChoosingPolicy> policy) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(STOCK_RESERVE, "100");
    VolumeChoosingPolicy<FsVolumeSpi> chooser = make(policy, conf);
    List<FsVolumeSpi> volumes = List.of(FsVolumes.of(DISK, 100), FsVolumes.of(DISK, 200));

    assertThat(chooser.chooseVolume(volumes, 0, null)).isSameAs(volumes.get(1));
    assertThat(chooser.chooseVolume(volumes, 99, null)).isSameAs(volumes.get(1));
    assertThatThrownBy(() -> chooser.chooseVolume(volumes, 100, null))
        .isInstanceOf(DiskOutOfSpaceException.class);
  }

  @ParameterizedTest
  @MethodSource("policies")
  @SuppressWarnings("rawtypes")
  void storageTypesTakeTurnsOfTheirOwn(Class<? extends VolumeChoosingPolicy> policy)
      throws IOException {
    VolumeChoosingPolicy<FsVolumeSpi> chooser = make(policy);
    for (List<FsVolumeSpi> volumes :
        List.of(
            List.of(FsVolumes.of(DISK, 1 << 20), FsVolumes.of(DISK, 1 << 20)),
            List.of(FsVolumes.of(SSD, 1 << 20), FsVolumes.of(SSD, 1 << 20)),
            List.of(FsVolumes.of(RAM_DISK, 1 << 20), FsVolumes.of(RAM_DISK, 1 << 20)))) {
      assertThat(chooser.chooseVolume(volumes, 10, null)).isSameAs(volumes.get(0));
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  @SuppressWarnings("rawtypes")
  void volumesComeAndGo(Class<? extends VolumeChoosingPolicy> policy) throws IOException {
    VolumeChoosingPolicy<FsVolumeSpi> chooser = make(policy);
    AtomicLong room = new AtomicLong(1 << 30);
    List<FsVolumeSpi> volumes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      volumes.add(FsVolumes.of(DISK, room, null));
    }
    for (int i = 0; i < 1_000; i++) {
      FsVolumeSpi chosen = chooser.chooseVolume(volumes, 1 << 10, null);
      assertThat(volumes).contains(chosen);
      if (i % 50 == 0) {
        // Closed after it was chosen: HDFS takes it out of the list and asks again.
        volumes.remove(chosen);
        assertThat(volumes).contains(chooser.chooseVolume(volumes, 1 << 10, null));
        volumes.add(FsVolumes.of(DISK, room, null));
      }
    }
  }
}
