package org.fastpath.tiered.datanode;

import static org.apache.hadoop.fs.StorageType.DISK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy of ours that fails is HDFS's round-robin, and is itself again when it can be. */
class GuardedVolumeChoosingPolicyTest {
  private static final int TURNS = 5;

  private final AtomicBoolean broken = new AtomicBoolean(true);
  private final List<FsVolumeSpi> volumes = new ArrayList<>();

  @SuppressWarnings("unchecked")
  private static GuardedVolumeChoosingPolicy<FsVolumeSpi> policy(Class<?> type) {
    return (GuardedVolumeChoosingPolicy<FsVolumeSpi>)
        ReflectionUtils.newInstance(type, new Configuration(false));
  }

  private void offer(int count, long room) {
    for (int i = 0; i < count; i++) {
      volumes.add(FsVolumes.breaking(DISK, room, broken));
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        LatencyAwareVolumeChoosingPolicy.class,
        PerTypeRoundRobinVolumeChoosingPolicy.class
      })
  void volumesTakeTurnsWhereOursFails(Class<?> type) throws IOException {
    GuardedVolumeChoosingPolicy<FsVolumeSpi> policy = policy(type);
    offer(4, 1L << 40);
    long before = VolumeMetrics.FELL_BACK.sum();
    Map<FsVolumeSpi, Integer> chosen = new HashMap<>();
    for (int i = 0; i < TURNS * volumes.size(); i++) {
      chosen.merge(policy.chooseVolume(new ArrayList<>(volumes), 1, ""), 1, Integer::sum);
    }
    assertThat(chosen)
        .hasSameSizeAs(volumes)
        .allSatisfy((volume, n) -> assertThat(n).isEqualTo(TURNS));
    assertThat(VolumeMetrics.FELL_BACK.sum() - before).isEqualTo(TURNS * volumes.size());

    broken.set(false);
    assertThat(volumes).contains(policy.chooseVolume(new ArrayList<>(volumes), 1, ""));
    assertThat(VolumeMetrics.FELL_BACK.sum() - before).isEqualTo(TURNS * volumes.size());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        LatencyAwareVolumeChoosingPolicy.class,
        PerTypeRoundRobinVolumeChoosingPolicy.class
      })
  void withoutRoomItIsRefusedAsStockRefuses(Class<?> type) {
    GuardedVolumeChoosingPolicy<FsVolumeSpi> policy = policy(type);
    offer(2, 10);
    for (boolean fails : new boolean[] {true, false}) {
      broken.set(fails);
      assertThatThrownBy(() -> policy.chooseVolume(volumes, 1 << 20, ""))
          .isInstanceOf(DiskOutOfSpaceException.class)
          .hasMessageContaining("(=10 B)");
    }
  }
}
