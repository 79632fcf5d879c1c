package org.fastpath.tiered.datanode;

import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equal bytes for equal volumes, whatever the sizes of replicas are. */
class PerTypeRoundRobinVolumeChoosingPolicyTest {
  private static final long ROOM = 1L << 50;
  private static final int REPLICAS = 2_000;
  private static final long SEED = Long.getLong("volume.seed", System.nanoTime());

  private final Random random = new Random(SEED);
  private final Map<FsVolumeSpi, Long> bytes = new HashMap<>();
  private PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> policy;

  @BeforeEach
  @SuppressWarnings("unchecked")
  void setUp() {
    System.out.println("volume.seed=" + SEED);
    policy =
        ReflectionUtils.newInstance(
            PerTypeRoundRobinVolumeChoosingPolicy.class, new Configuration(false));
  }

  private static List<FsVolumeSpi> volumes(StorageType type, int count) {
    List<FsVolumeSpi> volumes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      volumes.add(FsVolumes.of(type, ROOM));
    }
    return volumes;
  }

  private FsVolumeSpi place(List<FsVolumeSpi> volumes, long size) throws IOException {
    FsVolumeSpi chosen = policy.chooseVolume(volumes, size, null);
    bytes.merge(chosen, size, Long::sum);
    return chosen;
  }

  /** Returns the most by which a volume is away from its equal share. */
  private double imbalance(List<FsVolumeSpi> volumes) {
    double mean =
        volumes.stream().mapToLong(volume -> bytes.getOrDefault(volume, 0L)).average().orElse(0);
    return volumes.stream()
        .mapToDouble(volume -> Math.abs(bytes.getOrDefault(volume, 0L) / mean - 1))
        .max()
        .orElse(1);
  }

  @Test
  void twoTypesOfUnequalCountsWithReplicasOfUnequalSizes() throws IOException {
    List<FsVolumeSpi> disks = volumes(DISK, 5);
    List<FsVolumeSpi> flash = volumes(SSD, 3);
    for (int i = 0; i < REPLICAS; i++) {
      // Large and small ones in turn: a counter would give all large ones to the same volumes.
      place(disks, i % 5 == 0 ? 128 << 20 : 1 + random.nextInt(4 << 20));
      place(i % 3 == 0 ? flash : disks, 1 + random.nextInt(128 << 20));
    }
    assertThat(imbalance(disks)).isLessThan(0.02);
    assertThat(imbalance(flash)).isLessThan(0.02);
  }

  @Test
  void aVolumeThatIsNewTakesItsTurnAndNoMore() throws IOException {
    List<FsVolumeSpi> disks = volumes(DISK, 3);
    for (int i = 0; i < REPLICAS; i++) {
      place(disks, 1 << 20);
    }
    FsVolumeSpi fresh = FsVolumes.of(DISK, ROOM);
    disks.add(fresh);
    for (int i = 0; i < 400; i++) {
      place(disks, 1 << 20);
    }
    assertThat(bytes.get(fresh)).isBetween(98L << 20, 102L << 20);
  }

  @Test
  void aVolumeThatWasFullForfeitsWhatItMissed() throws IOException {
    List<FsVolumeSpi> disks = volumes(DISK, 3);
    AtomicLong room = new AtomicLong();
    FsVolumeSpi full = FsVolumes.of(DISK, room, null);
    disks.add(full);
    for (int i = 0; i < REPLICAS; i++) {
      assertThat(place(disks, 1 << 20)).isNotSameAs(full);
    }
    room.set(ROOM);
    for (int i = 0; i < 400; i++) {
      place(disks, 1 << 20);
    }
    assertThat(bytes.get(full)).isBetween(98L << 20, 102L << 20);
  }

  @Test
  void bytesCountThatWereWrittenWhereTheyAreSeen(@TempDir Path directory) throws IOException {
    FileIoProvider provider = new FileIoProvider(new Configuration(false), null);
    List<FsVolumeSpi> disks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      disks.add(FsVolumes.of(DISK, new AtomicLong(ROOM), provider));
    }
    Map<FsVolumeSpi, Long> written = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      // All are announced as of the same size, as blocks that are being written are.
      FsVolumeSpi chosen = policy.chooseVolume(disks, 128 << 20, null);
      byte[] replica = new byte[1 + random.nextInt(8 << 10)];
      File file = directory.resolve("replica").toFile();
      try (FileOutputStream out = provider.getFileOutputStream(chosen, file)) {
        out.write(replica);
      }
      written.merge(chosen, (long) replica.length, Long::sum);
    }
    bytes.putAll(written);
    assertThat(imbalance(disks)).isLessThan(0.02);
  }
}
