package org.fastpath.bench.simulators.volumes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
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
  OURS("latency-aware", "ours: LatencyAwareVolumeChoosingPolicy's own VolumeChooser") {
    @Override
    VolumeContender over(SimulatedDisk[] disks, SimulatedClock clock, long seed) {
      return new Ours(disks, clock, seed);
    }
  },
  ROUND_ROBIN("round-robin", "HDFS's default") {
    @Override
    VolumeContender over(SimulatedDisk[] disks, SimulatedClock clock, long seed) {
      return new Stock(RoundRobinVolumeChoosingPolicy.class, disks);
    }
  },
  AVAILABLE_SPACE("available-space", "HDFS's AvailableSpaceVolumeChoosingPolicy") {
    @Override
    VolumeContender over(SimulatedDisk[] disks, SimulatedClock clock, long seed) {
      return new Stock(AvailableSpaceVolumeChoosingPolicy.class, disks);
    }
  },
  ORACLE(
      "oracle", "knows how fast each disk is and will be, and takes the one that is done first") {
    @Override
    VolumeContender over(SimulatedDisk[] disks, SimulatedClock clock, long seed) {
      return (now, bytes) -> earliest(disks, now, bytes);
    }
  };

  private final String title;
  private final String description;

  VolumeContenders(String title, String description) {
    this.title = title;
    this.description = description;
  }

  String title() {
    return title;
  }

  String description() {
    return description;
  }

  /** Creates the policy over these disks. */
  abstract VolumeContender over(SimulatedDisk[] disks, SimulatedClock clock, long seed);

  private static int earliest(SimulatedDisk[] disks, long now, long bytes) {
    int best = -1;
    for (int i = 0; i < disks.length; i++) {
      boolean room = disks[i].availableBytes() > bytes;
      if (room && (best < 0 || disks[i].finish(now, bytes) < disks[best].finish(now, bytes))) {
        best = i;
      }
    }
    return best;
  }

  private static final class Ours implements VolumeContender {
    private final SimulatedVolumes volumes;
    private final int count;

    Ours(SimulatedDisk[] disks, SimulatedClock clock, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      count = disks.length;
      volumes =
          new SimulatedVolumes(
              count,
              disk -> disks[disk].availableBytes(),
              disk -> disks[disk].inFlightBytes(),
              clock::nanos,
              random::nextLong);
    }

    @Override
    public int choose(long nowNanos, long bytes) {
      return volumes.choose(bytes);
    }

    @Override
    public void begin(int disk) {
      volumes.begin(disk);
    }

    @Override
    public void end(int disk, long bytes) {
      volumes.end(disk, bytes);
    }

    @Override
    public void refresh() {
      volumes.refresh();
    }

    @Override
    public boolean isEligible(int disk) {
      return volumes.isEligible(disk);
    }

    @Override
    public long exclusions() {
      return IntStream.range(0, count).mapToLong(volumes::exclusions).sum();
    }

    @Override
    public long probes() {
      return IntStream.range(0, count).mapToLong(volumes::probes).sum();
    }
  }

  /** One of HDFS's own policies. */
  private static final class Stock implements VolumeContender {
    private final VolumeChoosingPolicy<FsVolumeSpi> policy;
    private final List<FsVolumeSpi> volumes;

    @SuppressWarnings("unchecked")
    Stock(Class<?> policy, SimulatedDisk... disks) {
      this.policy =
          (VolumeChoosingPolicy<FsVolumeSpi>)
              ReflectionUtils.newInstance(policy, new Configuration(false));
      volumes = Arrays.stream(disks).map(disk -> StandInVolume.of(disk::availableBytes)).toList();
    }

    @Override
    public int choose(long nowNanos, long bytes) {
      try {
        return volumes.indexOf(policy.chooseVolume(volumes, bytes, null));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
