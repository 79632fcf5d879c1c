package org.fastpath.bench.workloads.compaction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.CollapsedStacks;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.StoreFiles;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Variant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The experiment of HBASE-11927: the cost of a major compaction of 10 KB values on the
 * RegionServer, with checksums computed in four ways. All compactions merge the same store files
 * (see {@link StoreFiles}).
 *
 * <p>A run of one variant starts a new RegionServer and DataNode. Some compactions do not count,
 * until the JIT has compiled the code of a compaction, which costs more CPU time than a compaction.
 * The last one has the profiler in the process and is not counted. Its samples give the share of
 * checksums.
 *
 * <p>In a compaction, the RegionServer verifies HBase's checksums of its inputs, one per 16 KB, and
 * computes them for its output. It also computes HDFS's checksums, one per 512 bytes, which the
 * DataNode verifies. Short-circuit reads are off, because they do not work on a variant without
 * libhadoop.
 */
@Command(
    name = "compaction",
    header = "Major compaction: CPU time with checksums computed in four ways",
    description =
        "CPU time of the RegionServer in major compactions of 10 KB values (HBASE-11927). Sides: A,"
            + " no libhadoop in HBase nor in HDFS; B, in HDFS only; C, in both; D, our jars in"
            + " both.")
@Experiment.Quick("--rounds 1 --rows 4000 --warmups 1 --samples 1")
public final class Compaction extends Experiment {
  private static final int VALUE_BYTES = 10_000;

  private static final List<Variant> VARIANTS =
      List.of(
          Variant.stock("A", "stock, libhadoop neither in HBase nor in HDFS", false, false),
          Variant.stock("B", "stock, libhadoop in HDFS only", false, true),
          Variant.stock("C", "stock, libhadoop in both HBase and HDFS", true, true),
          Variant.stock("D", "libhadoop in both", true, true)
              .with(
                  "our jars in front in HBase and HDFS", Layout.CHECKSUM_JAR, Layout.METRICS_JAR));

  private static final List<Figure<Usage>> FIGURES =
      List.of(
          Figure.low("cpu.user.seconds", "s", use -> use.regionServer().userNanos() / 1e9),
          Figure.low("cpu.system.seconds", "s", use -> use.regionServer().systemNanos() / 1e9),
          Figure.low("cpu.total.seconds", "s", Usage::cpuSeconds),
          Figure.low("wall.seconds", "s", use -> use.wallNanos() / 1e9),
          Figure.low("datanode.cpu.seconds", "s", Usage::dataNodeSeconds));

  @Mixin private Options.Rounds rounds = new Options.Rounds(5);

  @Option(names = "--rows", description = "Rows of the table.")
  private int rows = 50_000;

  @Option(names = "--files", description = "Store files that a compaction merges.")
  private int files = 4;

  @Option(
      names = "--warmups",
      converter = Options.NotNegative.class,
      description = "Compactions of a new RegionServer before the measurement.")
  private int warmups = 6;

  @Option(
      names = "--samples",
      converter = Options.Positive.class,
      description = "Measured compactions per run.")
  private int samples = 2;

  @Option(names = "--checksum", description = "HBase's checksums: CRC32C or CRC32.")
  private String checksum = "CRC32C";

  @Option(names = "--sides", split = ",", description = "Sides to run.")
  private List<String> variants = List.of("A", "B", "C", "D");

  @Option(names = "--no-profile", description = "Omits flame graphs and the share of checksums.")
  private boolean noProfile;

  @Override
  protected void check() {
    atLeast("--files", 2, files);
    atLeast("--rows", files, rows);
    chosen();
    if (!List.of("CRC32", "CRC32C").contains(checksum)) {
      throw refusal("--checksum is " + checksum + ": CRC32C and CRC32 are possible");
    }
  }

  private List<Variant> chosen() {
    return chosen("side", variants, VARIANTS, Variant::id);
  }

  private Map<String, String> params() {
    return new Params()
        .with("rows", rows)
        .with("value bytes", VALUE_BYTES)
        .with("store files", files)
        .with("checksum", checksum);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate("D");
    try (Testbed testbed =
        new Testbed(
            run,
            Variant.STOCK,
            List.of(),
            builder -> builder.conf("hbase.hstore.checksum.algorithm", checksum))) {
      DataTable.Shape shape = new DataTable.Shape(rows, VALUE_BYTES, files);
      StoreFiles kept = new StoreFiles(testbed, DataTable.loaded(testbed, "base", shape, run));
      Interleaved.rounds(
          rounds.rounds,
          chosen(),
          (variant, round, label) -> {
            testbed.use(variant, run.results());
            String title = variant.id() + ", " + label;
            for (int i = 1; i <= warmups; i++) {
              measure(run, testbed, kept, title + ", warm-up " + i);
            }
            List<Usage> usages = new ArrayList<>();
            for (int i = 1; i <= samples; i++) {
              usages.add(measure(run, testbed, kept, title + ", compaction " + i));
            }
            run.slices(FIGURES, "compaction.", params(), variant.id(), usages);
            if (!noProfile) {
              profile(run, testbed, kept, variant.id(), title);
            }
          });
    }
  }

  private static Usage measure(Run run, Testbed testbed, StoreFiles files, String label)
      throws IOException {
    Console.Step step = run.step("rows", label);
    DataTable table = files.newTable();
    Usage usage = Usage.of(testbed, () -> table.majorCompact(step));
    files.takeBack(table);
    step.done(
        String.format(Locale.ROOT, "%.2f s of CPU time in the RegionServer", usage.cpuSeconds()));
    return usage;
  }

  private void profile(Run run, Testbed testbed, StoreFiles files, String variant, String label)
      throws IOException {
    DataTable table = files.newTable();
    Console.Step step = run.step("rows", label, "profiled");
    String title = "RegionServer during a major compaction";
    CollapsedStacks stacks =
        CollapsedStacks.profile(run, testbed, title, variant, () -> table.majorCompact(step));
    files.takeBack(table);
    run.round(
        "compaction.checksum.share.percent", params(), variant, "%", stacks.checksumPercent());
  }
}
