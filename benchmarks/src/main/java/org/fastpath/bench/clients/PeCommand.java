package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final String MAIN = "org.apache.hadoop.hbase.PerformanceEvaluation";
  private static final TableName TABLE = TableName.valueOf("TestTable");

  @Option(
      names = "--tests",
      paramLabel = "TEST",
      split = ";",
      description =
          "Tests with their options in PerformanceEvaluation's notation, separated by "
              + "semicolons (default: each of scan, scanRange100, scanRange1000, filterScan, "
              + "randomRead and multi-gets).")
  private List<String> tests =
      List.of(
          "--caching=100 scan",
          "scanRange100",
          "scanRange1000",
          "filterScan",
          "randomRead",
          "--multiGet=100 randomRead");

  @Option(names = "--table-rows", paramLabel = "N", description = "Rows of the table.")
  private long tableRows = 500_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Approximate rows that a test reads in a round.")
  private long rows = 200_000;

  @Option(names = "--value-bytes", paramLabel = "N", description = "Bytes of a value.")
  private int valueBytes = 100;

  @Option(names = "--clients", paramLabel = "N", description = "Threads of the client.")
  private int clients = 2;

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
    List<String> writes =
        List.of(
            "--nomapred",
            "--valueSize=" + valueBytes,
            "--rows=" + tableRows / clients,
            "sequentialWrite",
            Integer.toString(clients));
    execute(cluster, MAIN, writes);
    cluster.admin().flush(TABLE);
    new DataTable(cluster, TABLE.getNameAsString()).majorCompact();
    execute(cluster, MAIN, arguments(Test.of("--caching=1000 scan")));
  }

  @Override
  List<Work> works() {
    return tests.stream().map(Test::of).map(this::work).toList();
  }

  private List<String> arguments(Test test) {
    return test.arguments(tableRows, rows, clients, valueBytes);
  }

  private Work work(Test test) {
    return new Work(
        test.label(),
        test.rowsRead(tableRows, rows, clients),
        "row",
        MAIN,
        arguments(test),
        (run, percentile) -> run.latency(percentile + "th"));
  }

  /**
   * A test of PerformanceEvaluation with its options, as on its command line, for example {@code
   * --multiGet=100 randomRead}.
   *
   * @param words options, and the name of the test at the end
   */
  record Test(List<String> words) {
    /** The prefix of range scans; the rest of the name is the number of rows of an operation. */
    private static final String RANGE = "scanRange";

    /** A test whose operations read the whole table. */
    private static final String FILTERED = "filterScan";

    /** A test in which each client reads its part of the table once. */
    private static final String WHOLE = "scan";

    static Test of(String text) {
      List<String> words = Arrays.stream(text.trim().split("\\s+")).toList();
      if (words.get(words.size() - 1).startsWith("--")) {
        throw new IllegalArgumentException(
            "\"" + text + "\" names no test; an example is \"--caching=100 scan\"");
      }
      return new Test(words);
    }

    /** Returns the name in results. */
    String label() {
      return String.join(" ", words);
    }

    private String name() {
      return words.get(words.size() - 1);
    }

    /** Returns the number of rows that one operation of a client reads. */
    private long rowsOfOperation(long tableRows) {
      if (name().equals(FILTERED)) {
        return tableRows;
      }
      return name().startsWith(RANGE) ? Long.parseLong(name().substring(RANGE.length())) : 1;
    }

    private long operations(long tableRows, long rows, int clients) {
      return name().equals(WHOLE)
          ? tableRows / clients
          : Math.max(1, rows / clients / rowsOfOperation(tableRows));
    }

    /** Returns the number of rows that the command line reads. */
    long rowsRead(long tableRows, long rows, int clients) {
      return operations(tableRows, rows, clients) * clients * rowsOfOperation(tableRows);
    }

    /**
     * Returns the command line that reads a number of rows of a table.
     *
     * @param tableRows the rows of the table
     * @param rows the rows to read, by all clients together
     * @param clients number of threads
     */
    List<String> arguments(long tableRows, long rows, int clients, int valueBytes) {
      List<String> arguments = new ArrayList<>(List.of("--nomapred", "--latency"));
      arguments.add("--valueSize=" + valueBytes);
      arguments.add("--rows=" + operations(tableRows, rows, clients));
      arguments.addAll(words);
      arguments.add(Integer.toString(clients));
      return arguments;
    }
  }
}
