package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.cluster.DaemonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures positional reads of a file in the DataNode's locked memory, with the size of HBase's
 * blocks and several client set-ups.
 */
@Command(
    name = "preads",
    header = "Positional reads of a file in the DataNode's cache",
    description =
        "Positional reads of a file in the DataNode's memory, as a RegionServer makes them: time and CPU time per read,"
            + " reads per second. Sides: hbase-defaults; stock-best, without read-ahead; ours, from a mapping. Side"
            + " ours-slices takes slices without a copy; side memory is a bare copy of process memory.")
@Experiment.Quick("--rounds 1 --size 64 --block 64 --threads 1 --warm-up 1 --seconds 1")
public final class Preads extends Experiment {
  /** HBase's settings for the HDFS client in a RegionServer with short-circuit reads. */
  private static final CachedFile.Client HBASE_DEFAULTS =
      new CachedFile.Client(
          "hbase-defaults",
          "stock HDFS client as HBase configures it",
          Map.of("dfs.client.read.shortcircuit.buffer.size", Integer.toString(128 << 10)));

  /** Without readahead, a read does not fill a buffer for the next one. */
  private static final CachedFile.Client BEST =
      HBASE_DEFAULTS
          .as("stock-best", "stock HDFS client at its best, without read-ahead")
          .with("dfs.client.cache.readahead", 0);

  private static final CachedFile.Client OURS =
      BEST.as("ours", "reads out of mappings that the process shares", Layout.ZCR_JAR)
          .with("fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFileSystem");
  private static final List<CachedFile.Client> VARIANTS =
      List.of(
          HBASE_DEFAULTS,
          BEST,
          OURS,
          OURS.as("ours-slices", "slices of these mappings, which copy nothing", Layout.ZCR_JAR)
              .with(PreadsProbe.READS, PreadsProbe.Reads.SLICED),
          BEST.as(
                  "memory",
                  "one copy out of memory of the process, which no reading that copies is faster than")
              .with(PreadsProbe.READS, PreadsProbe.Reads.MEMORY));

  @Mixin private Options.Rounds rounds = new Options.Rounds(5);
  @Mixin private Options.Times times = new Options.Times(4, 4);

  @Option(
      names = "--size",
      paramLabel = "MB",
      description = "Size of the file, at least one block.")
  private int size = 512;

  @Option(names = "--block", paramLabel = "MB", converter = Options.Positive.class)
  private int block = 128;

  @Option(names = "--read", paramLabel = "KB", converter = Options.Positive.class)
  private int read = 64;

  @Option(names = "--threads", split = ",", converter = Options.Positive.class)
  private List<Integer> threads = List.of(1, 2);

  private final Consumer<DaemonOptions> process;

  /** Uses default options of processes. */
  public Preads() {
    this(options -> {});
  }

  Preads(Consumer<DaemonOptions> process) {
    this.process = process;
  }

  @Override
  protected void check() {
    atLeast("--size", block, size);
    atLeast("--block in KB", read, block << 10);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate(OURS.id());
    DoubleFile content = new DoubleFile((long) size << 20);
    Map<String, String> params = new Params().with("size", read << 10);
    String counts = threads.stream().map(String::valueOf).collect(Collectors.joining(","));
    Map<String, String> arguments =
        new Params()
            .with(PreadsProbe.BLOCK, (long) block << 20)
            .with(PreadsProbe.READ, read << 10)
            .with(PreadsProbe.THREADS, counts)
            .with(PreadsProbe.WARM_UP, times.warmUp * 1000)
            .with(PreadsProbe.MEASURED, times.seconds * 1000);
    try (CachedFile file = new CachedFile(run, content, (long) block << 20, process)) {
      Interleaved.rounds(
          rounds.rounds,
          VARIANTS,
          (variant, round, label) ->
              file.measure(variant, label, PreadsProbe.class, arguments, params, "threads"));
    }
  }
}
