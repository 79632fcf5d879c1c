package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.clients.ClusterPair.Member;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs HBase's own PerformanceEvaluation on a stock cluster and on one of ours. */
@Command(
    name = "pe",
    description =
        "HBase's PerformanceEvaluation on two clusters, stock with BucketCache and ours with "
            + "everything on, in turns. The table is in the cache. Measures CPU time of the "
            + "RegionServer per row, rows per second, and latencies.")
public final class PeCommand extends ClientExperiment {
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
  protected String title() {
    return "PerformanceEvaluation: stock HBase and ours";
  }

  @Override
  protected String quick() {
    return "--rounds 1 --warm-ups 1 --cache 64 --table-rows 20000 --rows 4000";
  }

  @Override
  protected void check() {
    try {
      tests.forEach(PeTest::of);
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage());
    }
  }

  @Override
  void load(ClusterPair pair, Member member) throws IOException {
    pair.run(member, PeTest.MAIN, writes());
    pair.compact(member, TABLE);
    pair.run(member, PeTest.MAIN, arguments(PeTest.of("--caching=1000 scan")));
  }

  @Override
  List<Work> works() {
    return tests.stream().map(PeTest::of).map(this::work).toList();
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

  private Work work(PeTest test) {
    return new Work() {
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
