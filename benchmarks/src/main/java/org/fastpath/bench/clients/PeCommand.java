package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.clients.ClusterPair.Member;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs HBase's own PerformanceEvaluation on a stock cluster and on one of ours. */
@Command(
    name = "pe",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "HBase's PerformanceEvaluation on two clusters, stock with BucketCache and ours with "
            + "everything on, in turns. The table is in the cache. Measures CPU time of the "
            + "RegionServer per row, rows per second, and latencies.")
public final class PeCommand implements Callable<Integer> {
  private static final TableName TABLE = TableName.valueOf("TestTable");

  @Spec private CommandSpec spec;
  @Mixin private PairOptions options;

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

  @Option(
      names = "--table-rows",
      paramLabel = "N",
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  private long tableRows = 500_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Approximate rows that a test reads in a round (default: ${DEFAULT-VALUE}).")
  private long rows = 200_000;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 100;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Threads of the client (default: ${DEFAULT-VALUE}).")
  private int clients = 2;

  @Override
  public Integer call() throws IOException {
    List<ClientExperiment.Work> works = new ArrayList<>();
    tests.forEach(test -> works.add(work(PeTest.of(test))));
    options.measure(
        spec,
        "pe",
        "PerformanceEvaluation: stock HBase and ours",
        (pair, experiment) -> {
          for (Member member : Member.values()) {
            pair.run(member, PeTest.MAIN, writes());
            experiment.compact(member, TABLE);
            pair.run(member, PeTest.MAIN, arguments(PeTest.of("--caching=1000 scan")));
          }
          experiment.run(works, options.rounds());
        });
    return 0;
  }

  private List<String> writes() {
    return Arrays.asList(
        "--nomapred",
        "--valueSize=" + valueBytes,
        "--rows=" + tableRows / clients,
        "sequentialWrite",
        Integer.toString(clients));
  }

  private List<String> arguments(PeTest test) {
    return test.arguments(tableRows, rows, clients, valueBytes);
  }

  private ClientExperiment.Work work(PeTest test) {
    return new ClientExperiment.Work() {
      @Override
      public String label() {
        return test.label();
      }

      @Override
      public long amount() {
        return test.rowsRead(tableRows, rows, clients);
      }

      @Override
      public String unit() {
        return "row";
      }

      @Override
      public ClientRun on(ClusterPair pair, Member member) throws IOException {
        return pair.run(member, PeTest.MAIN, arguments(test));
      }

      @Override
      public OptionalDouble latency(ClientRun run, String percentile) {
        return run.latency(percentile + "th");
      }
    };
  }
}
