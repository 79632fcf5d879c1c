package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.ycsb.HBaseDatabase;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Runs YCSB's core workloads on a stock cluster and on one of ours. */
@Command(
    name = "ycsb",
    header = "YCSB: stock HBase and ours",
    description =
        "YCSB's workloads A to F on two clusters, stock with BucketCache and ours with everything "
            + "on, in turns. Measures CPU time of the RegionServer per operation, operations per "
            + "second, and latencies.")
@Experiment.Quick("--rounds 1 --warm-ups 1 --cache 64 --records 5000 --operations 2000")
public final class YcsbCommand extends ClientExperiment {
  /** A mix of operations. YCSB's defaults are 0, except for reads and updates. */
  enum Mix {
    A("READ", "requestdistribution=zipfian", "readproportion=0.5", "updateproportion=0.5"),
    B("READ", "requestdistribution=zipfian", "readproportion=0.95", "updateproportion=0.05"),
    C("READ", "requestdistribution=zipfian", "readproportion=1"),
    D("READ", "requestdistribution=latest", "readproportion=0.95", "insertproportion=0.05"),
    E("SCAN", "requestdistribution=zipfian", "scanproportion=0.95", "insertproportion=0.05"),
    F("READ", "requestdistribution=zipfian", "readproportion=0.5", "readmodifywriteproportion=0.5");

    private final String main;
    private final String[] properties;

    Mix(String main, String... properties) {
      this.main = main;
      this.properties = properties;
    }

    /** Returns the pattern of a percentile of the main operation. */
    String latency() {
      return "^\\[" + main + "\\], %sthPercentileLatency\\(us\\), ([\\d.]+)";
    }
  }

  @Option(names = "--mixes", paramLabel = "MIX", split = ",", description = "Workloads.")
  private List<Mix> mixes = List.of(Mix.values());

  @Option(names = "--records", description = "Rows of the table.")
  private long records = 100_000;

  @Option(names = "--operations", description = "Operations of a workload in a round.")
  private long operations = 50_000;

  @Option(
      names = "-p",
      showDefaultValue = Visibility.NEVER,
      description = "A property of YCSB, such as fieldlength=1000; repeatable.")
  private List<String> more = List.of();

  YcsbCommand() {
    super("site.ycsb.Client", "operation");
  }

  @Override
  void load(Cluster cluster) throws IOException {
    DataTable table = new DataTable(cluster, "usertable");
    table.create();
    execute(cluster, arguments("-load"));
    cluster.admin().flush(table.name());
    table.majorCompact();
  }

  @Override
  List<Work> works() {
    return mixes.stream()
        .map(
            mix ->
                new Work("YCSB " + mix, operations, arguments("-t", mix.properties), mix.latency()))
        .toList();
  }

  /**
   * Returns a command line; of a property's values the last one counts. Counts are last, because
   * figures are divided by them.
   */
  private List<String> arguments(String phase, String... mix) {
    List<String> words = new ArrayList<>(List.of(phase, "-db", HBaseDatabase.class.getName()));
    words.addAll(List.of("-threads", "4"));
    Stream<String> properties =
        Stream.of(
            "workload=site.ycsb.workloads.CoreWorkload",
            // The most rows of a scan in the published workload E; YCSB's default is 1,000.
            "maxscanlength=100",
            "readproportion=0",
            "updateproportion=0");
    Stream<String> counts = Stream.of("recordcount=" + records, "operationcount=" + operations);
    Stream.of(properties, Stream.of(mix), more.stream(), counts)
        .flatMap(Function.identity())
        .forEach(property -> words.addAll(List.of("-p", property)));
    return words;
  }
}
