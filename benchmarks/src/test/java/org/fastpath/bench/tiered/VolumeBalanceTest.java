package org.fastpath.bench.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;

/** What {@code workload volume-balance} compares with, and how it counts. */
class VolumeBalanceTest {
  private static final long ROOM = 1000;

  private final List<StandInVolume> ssds = List.of(volume(ROOM), volume(ROOM));
  private final List<StandInVolume> disks =
      List.of(volume(ROOM), volume(ROOM), volume(ROOM), volume(ROOM));
  private final SharedCounterPolicy<StandInVolume> policy = new SharedCounterPolicy<>();

  private static StandInVolume volume(long room) {
    return new StandInVolume(() -> room, null);
  }

  @Test
  void aRhythmOfTypesIsOneOfVolumesWithOneCounterForAll() throws IOException {
    for (int i = 0; i < 8; i++) {
      assertThat(policy.chooseVolume(ssds, 1, null)).isSameAs(ssds.get(0));
      assertThat(policy.chooseVolume(disks, 1, null)).isSameAs(disks.get(1));
      assertThat(policy.chooseVolume(disks, 1, null)).isSameAs(disks.get(2));
      assertThat(policy.chooseVolume(disks, 1, null)).isSameAs(disks.get(3));
    }
  }

  @Test
  void whoHasNoRoomIsPassedOver() throws IOException {
    List<StandInVolume> volumes = List.of(volume(1), volume(ROOM));
    assertThat(policy.chooseVolume(volumes, 10, null)).isSameAs(volumes.get(1));
    assertThat(policy.chooseVolume(volumes, 10, null)).isSameAs(volumes.get(1));
    assertThatThrownBy(() -> policy.chooseVolume(volumes, ROOM, null))
        .isInstanceOf(DiskOutOfSpaceException.class);
  }

  @Test
  void unevennessIsOfTheFarthestFromTheMean() {
    assertThat(VolumeBalanceExperiment.unevenness(7, 7, 7)).isZero();
    assertThat(VolumeBalanceExperiment.unevenness(90, 100, 110, 100)).isEqualTo(10);
    assertThat(VolumeBalanceExperiment.unevenness(50, 125, 125)).isEqualTo(50);
  }
}
