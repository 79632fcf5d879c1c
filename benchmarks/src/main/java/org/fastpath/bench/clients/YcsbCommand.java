package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.ycsb.HBaseDatabase;
import picocli.CommandLine.Command;
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
  private static final String MAIN = "site.ycsb.Client";

  /** The most rows of a scan in the published workload E; YCSB's own default is 1,000. */
  private static final int LONGEST_SCAN = 100;

  /** A mix of operations. */
  enum Mix {
    A("zipfian", "READ", Map.of("read", "0.5", "update", "0.5")),
    B("zipfian", "READ", Map.of("read", "0.95", "update", "0.05")),
    C("zipfian", "READ", Map.of("read", "1")),
    D("latest", "READ", Map.of("read", "0.95", "insert", "0.05")),
    E("zipfian", "SCAN", Map.of("scan", "0.95", "insert", "0.05")),
    F("zipfian", "READ", Map.of("read", "0.5", "readmodifywrite", "0.5"));

    private final String distribution;
    private final String main;
    private final Map<String, String> shares;

    Mix(String distribution, String main, Map<String, String> shares) {
      this.distribution = distribution;
      this.main = main;
      this.shares = shares;
    }

    List<String> words() {
      List<String> words = new ArrayList<>(List.of("-t"));
      property(words, "requestdistribution", distribution);
      for (String kind : List.of("read", "update", "insert", "scan", "readmodifywrite")) {
        property(words, kind + "proportion", shares.getOrDefault(kind, "0"));
      }
      return words;
    }
  }

  @Option(names = "--mixes", paramLabel = "MIX", split = ",", description = "Workloads.")
  private List<Mix> mixes = List.of(Mix.values());

  @Option(names = "--records", paramLabel = "N", description = "Rows of the table.")
  private long records = 100_000;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations of a workload in a round.")
  private long operations = 50_000;

  @Option(names = "--fields", paramLabel = "N", description = "Fields of a row.")
  private int fields = 10;

  @Option(names = "--value-bytes", paramLabel = "N", description = "Bytes of a field.")
  private int valueBytes = 100;

  @Option(names = "--name-columns", description = "Makes reads name each field.")
  private boolean nameColumns;

  @Option(names = "--clients", paramLabel = "N", description = "Threads of the client.")
  private int clients = 4;

  @Override
  void load(Cluster cluster) throws IOException {
    DataTable table = new DataTable(cluster, "usertable");
    table.create();
    execute(cluster, MAIN, arguments(List.of("-load")));
    cluster.admin().flush(table.name());
    table.majorCompact();
  }

  @Override
  List<Work> works() {
    return mixes.stream()
        .map(
            mix ->
                new Work(
                    "YCSB " + mix,
                    operations,
                    "operation",
                    MAIN,
                    arguments(mix.words()),
                    (run, percentile) ->
                        run.ycsb(mix.main, percentile + "thPercentileLatency(us)")))
        .toList();
  }

  private static void property(List<String> words, String name, Object value) {
    words.add("-p");
    words.add(name + "=" + value);
  }

  private List<String> arguments(List<String> first) {
    List<String> words = new ArrayList<>(first);
    words.addAll(List.of("-db", HBaseDatabase.class.getName()));
    words.addAll(List.of("-threads", Integer.toString(clients)));
    property(words, "workload", "site.ycsb.workloads.CoreWorkload");
    property(words, "recordcount", records);
    property(words, "operationcount", operations);
    property(words, "fieldcount", fields);
    property(words, "fieldlength", valueBytes);
    property(words, "maxscanlength", LONGEST_SCAN);
    property(words, HBaseDatabase.SCANS_NAME_COLUMNS, nameColumns);
    return words;
  }
}
