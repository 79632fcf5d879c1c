package org.fastpath.bench.workloads.volumes;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
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
  private static final List<Figure<WriteLoad.Writes>> FIGURES =
      List.of(
          Figure.high("throughput", "MB/s", WriteLoad.Writes::throughput),
          Figure.low("write.p50", "ms", WriteLoad.Writes::medianMillis),
          Figure.low("write.p99", "ms", WriteLoad.Writes::tailMillis));

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);
  @Mixin private Options.Times times = new Options.Times(10, 20);

  @Option(names = "--scenarios", split = ",", description = "States of the volumes.")
  private List<String> scenarios =
      Stream.of(VolumeScenario.values()).map(VolumeScenario::label).toList();

  @Option(names = "--sides", split = ",", description = "Policies to compare.")
  private List<String> variants = PolicyVariant.ALL.stream().map(PolicyVariant::label).toList();

  @Option(
      names = "--bandwidth",
      paramLabel = "MB/S",
      converter = Options.Positive.class,
      description =
          "Bandwidth of a healthy volume; eight times that must be less than the machine's.")
  private int bandwidth = 8;

  @Option(names = "--file", paramLabel = "KB", description = "Size of a file, one block.")
  private int file = 1024;

  @Option(
      names = "--threads",
      converter = Options.Positive.class,
      description = "Threads that write.")
  private int threads = 24;

  /** Bytes on each volume in all rounds, by scenario and variant. */
  private final Map<List<String>, long[]> bytes = new LinkedHashMap<>();

  private int loads;

  @Override
  protected void check() {
    atLeast("--file", 4, file);
    policies();
    chosen();
  }

  private List<PolicyVariant> policies() {
    return chosen("side", variants, PolicyVariant.ALL, PolicyVariant::label);
  }

  private List<VolumeScenario> chosen() {
    return chosen("scenario", scenarios, List.of(VolumeScenario.values()), VolumeScenario::label);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.describe(policies(), PolicyVariant::label, PolicyVariant::description);
    VolumeSpeed full = VolumeSpeed.bytesPerSecond((double) bandwidth * (1 << 20));
    try (Cluster cluster = new Cluster(run, "", cluster(full))) {
      Interleaved.rounds(
          rounds.rounds,
          policies(),
          (variant, round, label) -> {
            cluster.dataNode().restart(variant.dataNode(Layout.here()));
            Map<VolumeScenario, WriteLoad.Writes> writes = new EnumMap<>(VolumeScenario.class);
            for (VolumeScenario scenario : chosen()) {
              Console.Step step = run.step("files", label, variant.label(), scenario.label());
              writes.put(scenario, measure(run, cluster, full, variant.label(), scenario));
              step.done(writes.get(scenario).toString());
            }
            compareWithHealthy(run, variant.label(), writes);
          });
    }
    drawVolumes(run);
  }

  private Consumer<ClusterBuilder> cluster(VolumeSpeed full) {
    return builder -> {
      builder
          .quickClose()
          .hbase(false)
          .conf("dfs.blocksize", Integer.toString(file << 10))
          .conf("dfs.namenode.fs-limits.min-block-size", "4096")
          // Its log is on the machine's own disk, which is not measured.
          .conf("dfs.namenode.edits.noeditlogchannelflush", "true")
          .volumes(Collections.nCopies(VolumeScenario.VOLUMES, "[DISK]").toArray(String[]::new));
      for (int i = 0; i < VolumeScenario.VOLUMES; i++) {
        builder.slowVolume(i, full);
      }
    };
  }

  private WriteLoad.Writes measure(
      Run run, Cluster cluster, VolumeSpeed full, String variant, VolumeScenario scenario)
      throws IOException {
    Path directory = new Path("/load-" + ++loads);
    cluster.files().mkdirs(directory);
    scenario.apply(cluster.dataNode(), full);
    try (WriteLoad load =
        new WriteLoad(
            number -> cluster.files().create(new Path(directory, Integer.toString(number))),
            threads,
            file << 10)) {
      Pause.millis(times.warmUp * 1000L);
      long from = System.nanoTime();
      Pause.millis(times.seconds * 1000L);
      long to = System.nanoTime();
      load.stop();
      VolumeScenario.HEALTHY.apply(cluster.dataNode(), full);
      WriteLoad.Writes writes = load.between(from, to);
      run.round(FIGURES, "volumes.", Map.of("scenario", scenario.label()), variant, writes);
      addBytes(List.of(scenario.label(), variant), cluster, directory);
      cluster.files().delete(directory, true);
      return writes;
    }
  }

  /** Compares the slowest writes during a fault with those of the same policy a minute before. */
  private static void compareWithHealthy(
      Run run, String variant, Map<VolumeScenario, WriteLoad.Writes> writes) {
    WriteLoad.Writes healthy = writes.remove(VolumeScenario.HEALTHY);
    if (healthy == null) {
      return;
    }
    writes.forEach(
        (scenario, slow) ->
            run.round(
                "volumes.write.p99.of-healthy",
                Map.of("scenario", scenario.label()),
                variant,
                "×",
                slow.tailMillis() / healthy.tailMillis()));
  }

  private void addBytes(List<String> line, Cluster cluster, Path directory) throws IOException {
    long[] sum = bytes.computeIfAbsent(line, any -> new long[VolumeScenario.VOLUMES]);
    List<String> ids = new ArrayList<>();
    for (java.nio.file.Path volume : cluster.dataNode().dataDirectories()) {
      ids.add(storageId(volume));
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

  private static String storageId(java.nio.file.Path volume) throws IOException {
    Properties version = new Properties();
    try (Reader in = Files.newBufferedReader(volume.resolve("current/VERSION"))) {
      version.load(in);
    }
    return version.getProperty("storageID");
  }

  /** Draws lines over the volumes, as shares of all bytes. */
  private void drawVolumes(Run run) {
    bytes.forEach(
        (line, sum) -> {
          double all = Arrays.stream(sum).sum();
          run.line(
              "bytes per volume, " + line.get(0),
              line.get(1),
              "volume",
              "%",
              IntStream.range(0, sum.length).mapToObj(i -> (double) i).toList(),
              Arrays.stream(sum).mapToObj(volume -> 100 * volume / all).toList());
        });
  }

  /** The speeds of the eight volumes while clients write. */
  enum VolumeScenario {
    /** All have the full bandwidth. */
    HEALTHY("healthy", 0, speed -> speed),
    /** Four have half of it, like those behind the second controller of the story. */
    HALF("half", 4, speed -> speed.slower(2)),
    /** One is ten times as slow. */
    SLOW_10("slow-10", 1, speed -> speed.slower(10)),
    /** One is a hundred times as slow. */
    SLOW_100("slow-100", 1, speed -> speed.slower(100)),
    /** One does not answer. */
    STUCK("stuck", 1, speed -> VolumeSpeed.stuck());

    static final int VOLUMES = 8;
    private final String label;
    private final int affected;
    private final UnaryOperator<VolumeSpeed> change;

    VolumeScenario(String label, int affected, UnaryOperator<VolumeSpeed> change) {
      this.label = label;
      this.affected = affected;
      this.change = change;
    }

    /** The name on the command line and in results. */
    String label() {
      return label;
    }

    /** Sets the speeds of all volumes. */
    void apply(Daemon dataNode, VolumeSpeed full) {
      for (int i = 0; i < VOLUMES; i++) {
        dataNode.slowVolume(i, i < affected ? change.apply(full) : full);
      }
    }
  }
}
