package org.fastpath.bench.tiered;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.fastpath.bench.Sides;
import org.fastpath.bench.World;
import org.fastpath.bench.Worlds;
import org.fastpath.tiered.datanode.SimulatedVolumes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Chooses one of twelve volumes, with nothing that HDFS does around it: asking a volume for its
 * room costs nothing here, and the list is the same each time.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar VolumeChoiceBenchmark --millis 1000 --rounds 3 --out choice.json --report choice.html
 * </pre>
 */
@Worlds(World.TIERED)
@Sides(
    param = "policy",
    candidate = "latency-aware",
    legend = {
      "round-robin=HDFS's RoundRobinVolumeChoosingPolicy",
      "available-space=HDFS's AvailableSpaceVolumeChoosingPolicy",
      "per-type=PerTypeRoundRobinVolumeChoosingPolicy",
      "latency-aware=LatencyAwareVolumeChoosingPolicy, all volumes measured and idle",
      "latency-aware-busy=its VolumeChooser alone, with writers on all volumes: four draws"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class VolumeChoiceBenchmark {
  private static final String BUSY = "latency-aware-busy";
  private static final int VOLUMES = 12;
  private static final long ROOM = 1L << 40;
  private static final long BLOCK = 128 << 20;

  /** Bytes that each volume writes beforehand, so that its speed is known. */
  private static final int KNOWN = 4 << 20;

  /** Which policy. */
  @Param({"round-robin", "available-space", "per-type", "latency-aware", "latency-aware-busy"})
  public String policy;

  /** One, and as many as write at once to a busy DataNode. */
  @Param({"1", "16"})
  public int threads;

  private final List<StandInVolume> volumes = new ArrayList<>();
  private VolumeChoosingPolicy<StandInVolume> chooser;

  /** Makes volumes that have been written to. */
  @Setup
  public void setUp() throws IOException, ClassNotFoundException {
    World.confirmCurrent();
    Configuration conf = new Configuration(false);
    FileIoProvider provider = new FileIoProvider(conf, null);
    for (int i = 0; i < VOLUMES; i++) {
      long room = ROOM + i * BLOCK;
      volumes.add(new StandInVolume(() -> room, provider));
    }
    chooser = BUSY.equals(policy) ? busy() : configured(conf);
    chooser.chooseVolume(volumes, BLOCK, null);
    File file = File.createTempFile("volume", null);
    for (StandInVolume volume : volumes) {
      try (FileOutputStream out = provider.getFileOutputStream(volume, file)) {
        out.write(new byte[KNOWN]);
      }
    }
    if (!file.delete()) {
      file.deleteOnExit();
    }
  }

  @SuppressWarnings("unchecked")
  private VolumeChoosingPolicy<StandInVolume> configured(Configuration conf)
      throws ClassNotFoundException {
    return (VolumeChoosingPolicy<StandInVolume>)
        ReflectionUtils.newInstance(Class.forName(className()), conf);
  }

  private VolumeChoosingPolicy<StandInVolume> busy() {
    SimulatedVolumes simulated =
        new SimulatedVolumes(
            VOLUMES,
            volume -> ROOM,
            volume -> (1 + volume % 3) * BLOCK,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextLong());
    for (int i = 0; i < VOLUMES; i++) {
      simulated.begin(i);
      simulated.end(i, BLOCK);
    }
    return (offered, bytes, storageId) -> offered.get(simulated.choose(bytes));
  }

  private String className() {
    String stock = "org.apache.hadoop.hdfs.server.datanode.fsdataset.";
    String ours = "org.fastpath.tiered.datanode.";
    return switch (policy) {
      case "round-robin" -> stock + "RoundRobinVolumeChoosingPolicy";
      case "available-space" -> stock + "AvailableSpaceVolumeChoosingPolicy";
      case "per-type" -> ours + "PerTypeRoundRobinVolumeChoosingPolicy";
      default -> ours + "LatencyAwareVolumeChoosingPolicy";
    };
  }

  /** Chooses one. */
  @Benchmark
  public StandInVolume choose() throws IOException {
    return chooser.chooseVolume(volumes, BLOCK, null);
  }
}
