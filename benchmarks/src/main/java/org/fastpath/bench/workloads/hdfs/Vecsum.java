package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.cluster.DaemonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The story's {@code vecsum}: a loop sums a file of doubles in the DataNode's locked memory. It
 * measures speed and CPU time in each {@link ReadMode} and with each {@link SumLoop}.
 *
 * <p>A client opens the file once. Its first passes do not count, because the JIT compiles and
 * mappings get their pages.
 */
@Command(
    name = "vecsum",
    header = "A file in the DataNode's cache, summed: TCP, short circuit and zero-copy",
    description =
        "Sums a file of doubles in the DataNode's memory by one thread: GB/s and CPU seconds per GB. Modes: tcp,"
            + " tcp-no-checksum, short-circuit, short-circuit-no-checksum, zero-copy. Mode zero-copy-remapped drops its"
            + " mappings; mode memory runs the same loop over memory of the process.")
@Experiment.Quick("--rounds 1 --size 128 --block 64 --warm-ups 1 --passes 2")
public final class Vecsum extends Experiment {
  @Mixin private Options.Rounds rounds = new Options.Rounds(5);

  @Option(names = "--size", paramLabel = "MB", converter = Options.Positive.class)
  private int size = 1024;

  @Option(names = "--block", paramLabel = "MB", converter = Options.Positive.class)
  private int block = 128;

  @Option(names = "--chunk", paramLabel = "KB", converter = Options.Positive.class)
  private int chunk = 8192;

  @Option(names = "--warm-ups", description = "Passes before the measurement, with each loop.")
  private int warmUps = 3;

  @Option(names = "--passes", converter = Options.Positive.class, description = "Measured passes.")
  private int passes = 8;

  @Option(names = "--modes", split = ",", description = "Modes to measure.")
  private List<String> modes = Stream.of(ReadMode.values()).map(ReadMode::id).toList();

  /** Changes the options of DataNode and clients. */
  private final Consumer<DaemonOptions> process;

  /** Uses default options of processes. */
  public Vecsum() {
    this(options -> {});
  }

  Vecsum(Consumer<DaemonOptions> process) {
    this.process = process;
  }

  @Override
  protected void check() {
    chosen();
  }

  private List<ReadMode> chosen() {
    return chosen("mode", modes, List.of(ReadMode.values()), ReadMode::id);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate(ReadMode.ZERO_COPY.id());
    DoubleFile content = new DoubleFile((long) size << 20);
    Map<String, String> params = new Params().with("size", content.bytes());
    try (CachedFile file = new CachedFile(run, content, (long) block << 20, process)) {
      Interleaved.rounds(
          rounds.rounds,
          chosen(),
          (mode, round, label) ->
              file.measure(
                  mode.client(), label, VecsumProbe.class, arguments(mode), params, "loop"));
    }
  }

  private Map<String, String> arguments(ReadMode mode) {
    return new Params()
        .with(VecsumProbe.MODE, mode.name())
        .with(VecsumProbe.CHUNK, chunk << 10)
        .with(VecsumProbe.WARM_UPS, warmUps)
        .with(VecsumProbe.PASSES, passes);
  }
}
