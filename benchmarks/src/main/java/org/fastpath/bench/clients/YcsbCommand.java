package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
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
  private static final String TABLE = "usertable";

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

  @Option(
      names = "--mixes",
      paramLabel = "MIX",
      split = ",",
      description = "Workloads, in the order of a round.")
  private List<Mix> mixes = List.of(Mix.C, Mix.B, Mix.D, Mix.E, Mix.A, Mix.F);

  @Option(names = "--records", description = "Rows of the table.")
  private long records = 100_000;

  @Option(
      names = "--operations",
      description = "Operations of a workload in a round; a tenth of them for scans.")
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
    new DataTable(cluster, TABLE).create();
    execute(cluster, arguments("-load", operations));
  }

  /**
   * Writes the table into one file and caches it. Otherwise the versions of the most written rows
   * would stay in the memstore, and each round would read more of them than the one before.
   */
  @Override
  void beginRound(Cluster cluster) throws IOException {
    DataTable table = new DataTable(cluster, TABLE);
    cluster.admin().flush(table.name());
    table.majorCompact();
    Scan all = new Scan().setReadType(Scan.ReadType.PREAD).setFilter(new FirstKeyOnlyFilter());
    try (Table open = cluster.connection().getTable(table.name());
        ResultScanner rows = open.getScanner(all)) {
      rows.forEach(row -> {});
    }
  }

  @Override
  List<Work> works() {
    return mixes.stream().map(this::work).toList();
  }

  private Work work(Mix mix) {
    long amount = mix == Mix.E ? Math.max(1, operations / 10) : operations;
    List<String> arguments = arguments("-t", amount, mix.properties);
    return new Work("YCSB " + mix, amount, arguments, mix.latency());
  }

  /**
   * Returns a command line; of a property's values the last one counts. Counts are last, because
   * figures are divided by them.
   */
  private List<String> arguments(String phase, long operations, String... mix) {
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
