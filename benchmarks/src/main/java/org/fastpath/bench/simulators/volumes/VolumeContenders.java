package org.fastpath.bench.simulators.volumes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.fastpath.bench.engine.parts.StandInVolume;
import org.fastpath.tiered.datanode.SimulatedVolumes;

/** The simulated policies. */
enum VolumeContenders {
  OURS(
      "latency-aware",
      "ours: LatencyAwareVolumeChoosingPolicy's own VolumeChooser",
      (disks, ours) -> (now, bytes) -> ours.choose(bytes)),
  ROUND_ROBIN(
      "round-robin",
      "HDFS's default",
      (disks, ours) -> stock(RoundRobinVolumeChoosingPolicy.class, disks)),
  AVAILABLE_SPACE(
      "available-space",
      "HDFS's AvailableSpaceVolumeChoosingPolicy",
      (disks, ours) -> stock(AvailableSpaceVolumeChoosingPolicy.class, disks)),
  ORACLE(
      "oracle",
      "knows how fast each disk is and will be, and takes the one that is done first",
      (disks, ours) -> (now, bytes) -> earliest(disks, now, bytes));

  final String title;
  final String description;
  private final BiFunction<SimulatedDisk[], SimulatedVolumes, Policy> maker;

  /** A policy over the disks of a node. Not thread-safe. */
  interface Policy {
    /** Chooses a disk for a replica; negative if none has room. */
    int choose(long nowNanos, long bytes);
  }

  VolumeContenders(
      String title,
      String description,
      BiFunction<SimulatedDisk[], SimulatedVolumes, Policy> maker) {
    this.title = title;
    this.description = description;
    this.maker = maker;
  }

  /** Creates the policy over these disks, which are also the volumes of our policy. */
  Policy over(SimulatedDisk[] disks, SimulatedVolumes ours) {
    return maker.apply(disks, ours);
  }

  private static int earliest(SimulatedDisk[] disks, long now, long bytes) {
    return IntStream.range(0, disks.length)
        .filter(disk -> disks[disk].availableBytes() > bytes)
        .boxed()
        .min(Comparator.comparingLong(disk -> disks[disk].finish(now, bytes)))
        .orElse(-1);
  }

  @SuppressWarnings("unchecked")
  private static Policy stock(Class<?> type, SimulatedDisk... disks) {
    VolumeChoosingPolicy<FsVolumeSpi> policy =
        (VolumeChoosingPolicy<FsVolumeSpi>)
            ReflectionUtils.newInstance(type, new Configuration(false));
    List<FsVolumeSpi> volumes =
        Arrays.stream(disks).map(disk -> StandInVolume.of(disk::availableBytes)).toList();
    return (now, bytes) -> {
      try {
        return volumes.indexOf(policy.chooseVolume(volumes, bytes, null));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
