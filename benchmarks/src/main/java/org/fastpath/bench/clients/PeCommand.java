package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.DataTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs HBase's own PerformanceEvaluation on a stock cluster and on one of ours. */
@Command(
    name = "pe",
    header = "PerformanceEvaluation: stock HBase and ours",
    description =
        "HBase's PerformanceEvaluation on two clusters, stock with BucketCache and ours with "
            + "everything on, in turns. The table is in the cache. Measures CPU time of the "
            + "RegionServer per row, rows per second, and latencies.")
@Experiment.Quick("--rounds 1 --warm-ups 1 --cache 64 --table-rows 20000 --rows 4000")
public final class PeCommand extends ClientExperiment {
  private static final TableName TABLE = TableName.valueOf("TestTable");
  private static final int CLIENTS = 2;

  /** The pattern of a percentile, which each client prints. */
  static final String LATENCY = "(?:^|[\\s,])%sth\\s*=\\s*([\\d.]+)";

  @Option(
      names = "--tests",
      paramLabel = "TEST",
      split = ";",
      description =
          "Tests with their options in PerformanceEvaluation's notation, separated by semicolons.")
  private List<String> tests =
      List.of(
          "--caching=100 scan",
          "scanRange100",
          "scanRange1000",
          "filterScan",
          "randomRead",
          "--multiGet=100 randomRead");

  @Option(names = "--table-rows", description = "Rows of the table.")
  private long tableRows = 500_000;

  @Option(names = "--rows", description = "Approximate rows that a test reads in a round.")
  private long rows = 200_000;

  @Option(names = "--value-bytes", description = "Bytes of a value.")
  private int valueBytes = 100;

  PeCommand() {
    super("org.apache.hadoop.hbase.PerformanceEvaluation", "row");
  }

  @Override
  protected void check() {
    try {
      tests.forEach(Test::of);
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage());
    }
  }

  @Override
  void load(Cluster cluster) throws IOException {
    String perClient = "--rows=" + tableRows / CLIENTS;
    String valueSize = "--valueSize=" + valueBytes;
    execute(cluster, List.of("--nomapred", valueSize, perClient, "sequentialWrite", "" + CLIENTS));
    cluster.admin().flush(TABLE);
    new DataTable(cluster, TABLE.getNameAsString()).majorCompact();
    execute(cluster, Test.of("--caching=1000 scan").arguments(tableRows, rows, valueBytes));
  }

  @Override
  List<Work> works() {
    return tests.stream()
        .map(Test::of)
        .map(
            test ->
                new Work(
                    String.join(" ", test.words()),
                    test.rowsRead(tableRows, rows),
                    test.arguments(tableRows, rows, valueBytes),
                    LATENCY))
        .toList();
  }

  /**
   * A test of PerformanceEvaluation with its options, as on its command line, for example {@code
   * --multiGet=100 randomRead}. The last word is its name.
   */
  record Test(List<String> words, String name) {
    /** The prefix of range scans; the rest of the name is the number of rows of an operation. */
    private static final String RANGE = "scanRange";

    static Test of(String text) {
      List<String> words = List.of(text.trim().split("\\s+"));
      String name = words.get(words.size() - 1);
      if (name.startsWith("--")) {
        throw new IllegalArgumentException(
            "\"" + text + "\" names no test; an example is \"--caching=100 scan\"");
      }
      return new Test(words, name);
    }

    /** Returns the number of rows that one operation of a client reads. */
    private long rowsOfOperation(long tableRows) {
      if (name.equals("filterScan")) {
        return tableRows;
      }
      return name.startsWith(RANGE) ? Long.parseLong(name.substring(RANGE.length())) : 1;
    }

    /** Returns the operations of a client. In a scan, it reads its part of the table once. */
    private long operations(long tableRows, long rows) {
      return name.equals("scan")
          ? tableRows / CLIENTS
          : Math.max(1, rows / CLIENTS / rowsOfOperation(tableRows));
    }

    /** Returns the number of rows that the command line reads. */
    long rowsRead(long tableRows, long rows) {
      return operations(tableRows, rows) * CLIENTS * rowsOfOperation(tableRows);
    }

    /** Returns the command line by which all clients together read a number of rows. */
    List<String> arguments(long tableRows, long rows, int valueBytes) {
      List<String> arguments = new ArrayList<>(List.of("--nomapred", "--latency"));
      arguments.add("--valueSize=" + valueBytes);
      arguments.add("--rows=" + operations(tableRows, rows));
      arguments.addAll(words);
      arguments.add(Integer.toString(CLIENTS));
      return arguments;
    }
  }
}
