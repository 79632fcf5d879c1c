package org.fastpath.bench.workloads.volumes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.FileWrites;
import org.fastpath.bench.engine.cluster.PolicyVariant;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.VolumeSpeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Clients write to a DataNode of eight volumes with different speeds, or with a fail-slow one. In
 * each round the DataNode runs with each policy. A scenario runs until the policy has had time to
 * detect it, and is then measured. The volumes recover while writers finish their current files.
 */
@Command(
    name = "volume-choice",
    header = "Choice of volumes that are not alike",
    description =
        "Writes to a DataNode of eight volumes whose speed is a model: four with half of the bandwidth, or one that"
            + " fails slowly. Aggregate throughput, times of writes, bytes per volume. The last side is compared with"
            + " the others.")
@Experiment.Quick(
    "--rounds 1 --warm-up 3 --seconds 4 --scenarios healthy,slow-10 --sides round-robin,latency-aware")
public final class VolumeChoice extends Experiment {
  private static final int VOLUMES = 8;
  private static final int THREADS = 24;

  private static final int FILE_BYTES = 1 << 20;

  /** The speed of a healthy volume; that of eight must be less than the machine's. */
  private static final VolumeSpeed FULL = VolumeSpeed.bytesPerSecond(8 << 20);

  private static final Scenario HEALTHY = new Scenario("healthy", 0, speed -> speed);

  /** The slow volumes of {@code half} are like those behind the second controller of the story. */
  private static final List<Scenario> SCENARIOS =
      List.of(
          HEALTHY,
          new Scenario("half", 4, speed -> speed.slower(2)),
          new Scenario("slow-10", 1, speed -> speed.slower(10)),
          new Scenario("slow-100", 1, speed -> speed.slower(100)),
          new Scenario("stuck", 1, speed -> VolumeSpeed.stuck()));

  private static final List<Figure<FileWrites>> FIGURES =
      List.of(FileWrites.RATE, FileWrites.P50, FileWrites.P99);

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);
  @Mixin private Options.Times times = new Options.Times(10, 20);

  @Option(names = "--scenarios", split = ",", description = "States of the volumes.")
  private List<String> scenarios = SCENARIOS.stream().map(Scenario::label).toList();

  @Option(names = "--sides", split = ",", description = "Policies to compare.")
  private List<String> variants = PolicyVariant.ALL.stream().map(PolicyVariant::label).toList();

  /** Bytes on each volume in all rounds, by scenario and variant. */
  private final Map<List<String>, double[]> bytes = new LinkedHashMap<>();

  private int loads;

  /** The speeds of the volumes while clients write: those of the first ones change. */
  private record Scenario(String label, int affected, UnaryOperator<VolumeSpeed> change) {
    void apply(Daemon dataNode) {
      for (int i = 0; i < VOLUMES; i++) {
        dataNode.slowVolume(i, i < affected ? change.apply(FULL) : FULL);
      }
    }
  }

  @Override
  protected void check() {
    policies();
    chosen();
  }

  private List<PolicyVariant> policies() {
    return chosen("side", variants, PolicyVariant.ALL, PolicyVariant::label);
  }

  private List<Scenario> chosen() {
    return chosen("scenario", scenarios, SCENARIOS, Scenario::label);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.describe(policies(), PolicyVariant::label, PolicyVariant::description);
    try (Cluster cluster = new Cluster(run, "", VolumeChoice::build)) {
      Interleaved.rounds(
          rounds.rounds,
          policies(),
          (variant, round, label) -> {
            cluster.dataNode().restart(variant.dataNode(Layout.here()));
            Map<Scenario, FileWrites> writes = new LinkedHashMap<>();
            for (Scenario scenario : chosen()) {
              Console.Step step = run.step("files", label, variant.label(), scenario.label);
              writes.put(scenario, measure(run, cluster, variant.label(), scenario));
              step.done(writes.get(scenario).toString());
            }
            compareWithHealthy(run, variant.label(), writes);
          });
    }
    drawVolumes(run);
  }

  private static void build(ClusterBuilder builder) {
    builder
        .quickClose()
        .hbase(false)
        .conf("dfs.blocksize", Integer.toString(FILE_BYTES))
        // The log of the NameNode is on the machine's own disk, which is not measured.
        .conf("dfs.namenode.edits.noeditlogchannelflush", "true")
        .volumes(Collections.nCopies(VOLUMES, "[DISK]").toArray(String[]::new));
    IntStream.range(0, VOLUMES).forEach(i -> builder.slowVolume(i, FULL));
  }

  private FileWrites measure(Run run, Cluster cluster, String variant, Scenario scenario)
      throws IOException {
    Path directory = new Path("/load-" + ++loads);
    cluster.files().mkdirs(directory);
    scenario.apply(cluster.dataNode());
    FileWrites writes =
        new FileWrites.Load(cluster.files(), directory, THREADS, FILE_BYTES)
            .during(
                times.warmUp * 1000, times.seconds * 1000, () -> HEALTHY.apply(cluster.dataNode()));
    run.round(FIGURES, "volumes.", Map.of("scenario", scenario.label), variant, writes);
    addBytes(List.of(scenario.label, variant), cluster, directory);
    cluster.files().delete(directory, true);
    return writes;
  }

  /** Compares the slowest writes during a fault with those of the same policy a minute before. */
  private static void compareWithHealthy(
      Run run, String variant, Map<Scenario, FileWrites> writes) {
    FileWrites healthy = writes.remove(HEALTHY);
    if (healthy != null) {
      writes.forEach(
          (scenario, slow) -> {
            double ratio = FileWrites.P99.of(slow) / FileWrites.P99.of(healthy);
            Map<String, String> params = Map.of("scenario", scenario.label);
            run.round("volumes.write.p99.of-healthy", params, variant, "×", ratio);
          });
    }
  }

  private void addBytes(List<String> line, Cluster cluster, Path directory) throws IOException {
    double[] sum = bytes.computeIfAbsent(line, any -> new double[VOLUMES]);
    List<String> ids = new ArrayList<>();
    for (java.nio.file.Path volume : cluster.dataNode().dataDirectories()) {
      java.nio.file.Path version = volume.resolve("current/VERSION");
      ids.add(StorageInfo.readPropertiesFile(version.toFile()).getProperty("storageID"));
    }
    RemoteIterator<LocatedFileStatus> listing = cluster.files().listLocatedStatus(directory);
    while (listing.hasNext()) {
      for (BlockLocation block : listing.next().getBlockLocations()) {
        for (String id : block.getStorageIds()) {
          sum[ids.indexOf(id)] += block.getLength();
        }
      }
    }
  }

  /** Draws lines over the volumes, as shares of all bytes. */
  private void drawVolumes(Run run) {
    List<Double> volumes = IntStream.range(0, VOLUMES).mapToObj(i -> (double) i).toList();
    bytes.forEach(
        (line, sum) -> {
          double all = DoubleStream.of(sum).sum();
          List<Double> shares = DoubleStream.of(sum).mapToObj(each -> 100 * each / all).toList();
          String chart = "bytes per volume, " + line.get(0);
          run.line(chart, line.get(1), "volume", "%", volumes, shares);
        });
  }
}
