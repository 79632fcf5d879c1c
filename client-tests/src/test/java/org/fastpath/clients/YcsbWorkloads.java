package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;

/**
 * YCSB's core workloads on one table with ten fields of 100 bytes. YCSB computes each value from
 * key and field, and checks each value that it reads.
 */
final class YcsbWorkloads {
  private static final TableName TABLE = TableName.valueOf("usertable");
  private static final String DATABASE = "org.fastpath.bench.ycsb.HBaseDatabase";
  private static final String VERIFIED = "[VERIFY], Return=OK, ";
  private static final String WRONG = "[VERIFY], Return=UNEXPECTED_STATE, ";

  /** A mix of operations, by their shares. */
  enum Workload {
    A("zipfian", Map.of("read", "0.5", "update", "0.5")),
    B("zipfian", Map.of("read", "0.95", "update", "0.05")),
    C("zipfian", Map.of("read", "1")),
    D("latest", Map.of("read", "0.95", "insert", "0.05")),
    E("zipfian", Map.of("scan", "0.95", "insert", "0.05")),
    F("zipfian", Map.of("read", "0.5", "readmodifywrite", "0.5"));

    private final String distribution;
    private final Map<String, String> shares;

    Workload(String distribution, Map<String, String> shares) {
      this.distribution = distribution;
      this.shares = shares;
    }

    boolean reads() {
      return shares.containsKey("read");
    }

    private void addTo(List<String> words) {
      property(words, "requestdistribution", distribution);
      for (String operation : List.of("read", "update", "insert", "scan", "readmodifywrite")) {
        property(words, operation + "proportion", shares.getOrDefault(operation, "0"));
      }
    }
  }

  private final LocalCluster cluster;
  private final int records;

  YcsbWorkloads(LocalCluster cluster, int records) {
    this.cluster = cluster;
    this.records = records;
  }

  /** Creates the table, fills it and flushes it. */
  void load() throws IOException {
    try (Connection connection = connection();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build(),
          new byte[][] {Bytes.toBytes("user3"), Bytes.toBytes("user6")});
      checked(ycsb(true, List.of("-load")));
      admin.flush(TABLE);
    }
  }

  private Connection connection() throws IOException {
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    return ConnectionFactory.createConnection(configuration);
  }

  /** Runs a workload. Every operation succeeds, and every row that is read is the written one. */
  void run(Workload workload) {
    ClientRun run = checked(ycsb(true, words(workload)));
    if (workload.reads()) {
      assertThat(run.lines()).as("%s", workload).anyMatch(line -> line.startsWith(VERIFIED));
    }
  }

  /**
   * Overwrites the table with values that YCSB did not compute, and checks that YCSB reports them.
   */
  void noticesWrongValues() {
    checked(ycsb(false, List.of("-load")));
    assertThat(ycsb(true, words(Workload.C)).lines()).anyMatch(line -> line.startsWith(WRONG));
  }

  private static List<String> words(Workload workload) {
    List<String> words = new ArrayList<>(List.of("-t"));
    workload.addTo(words);
    return words;
  }

  private static ClientRun checked(ClientRun run) {
    assertThat(run.lines())
        .noneMatch(line -> line.contains("Return=") && !line.contains("Return=OK"))
        .anyMatch(line -> line.startsWith("[OVERALL], Throughput"));
    return run;
  }

  private ClientRun ycsb(boolean computed, List<String> more) {
    List<String> words = new ArrayList<>(more);
    words.addAll(List.of("-db", DATABASE, "-threads", "4"));
    property(words, "workload", "site.ycsb.workloads.CoreWorkload");
    property(words, "recordcount", Integer.toString(records));
    property(words, "operationcount", Integer.toString(records));
    property(words, "dataintegrity", Boolean.toString(computed));
    return ClientRun.of(
            cluster,
            List.of(ClientJars.YCSB),
            DaemonOptions::quickStart,
            "site.ycsb.Client",
            words.toArray(String[]::new))
        .passed();
  }

  private static void property(List<String> words, String name, String value) {
    words.add("-p");
    words.add(name + "=" + value);
  }
}
