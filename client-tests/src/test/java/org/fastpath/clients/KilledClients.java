package org.fastpath.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.clients.KilledClient.Acknowledged;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;

/** A table that {@link KilledClient}s work on, and what it must hold. For one thread. */
final class KilledClients implements AutoCloseable {
  private static final int AT_ONCE = 3;
  private static final int OPERATIONS = 200;

  private final LocalCluster cluster;
  private final boolean mapped;
  private final TableName name;
  private final Connection connection;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
  private final List<Acknowledged> acknowledged = new ArrayList<>();
  private int killed;

  /**
   * Makes the table.
   *
   * @param mapped whether blocks of the table may be mapped
   */
  KilledClients(LocalCluster cluster, boolean mapped) throws IOException {
    this.cluster = cluster;
    this.mapped = mapped;
    name = TableName.valueOf("killed_" + mapped);
    Configuration conf = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(conf::set);
    connection = ConnectionFactory.createConnection(conf);
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(KilledClient.FAMILY)
                        .setConfiguration(
                            "hbase.fastpath.zcr-blocks.enabled", Boolean.toString(mapped))
                        // A block that was cached before it could be mapped stays in the cache.
                        .setBlockCacheEnabled(!mapped)
                        .build())
                .build());
  }

  /** Runs some clients at once until each is dead. */
  void killSome(int round) throws Exception {
    List<Future<List<String>>> runs = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      String client = round + "-" + i;
      runs.add(threads.submit(() -> run(client)));
    }
    for (Future<List<String>> run : runs) {
      run.get().stream().filter(Acknowledged::is).map(Acknowledged::of).forEach(acknowledged::add);
      killed++;
    }
  }

  private List<String> run(String client) {
    ClientRun run =
        ClientRun.of(
            cluster,
            List.of(),
            DaemonOptions::quickStart,
            KilledClient.class.getName(),
            name.getNameAsString(),
            client,
            Integer.toString(OPERATIONS));
    return run.ended(KilledClient.KILLED).lines();
  }

  /** Flushes. Blocks that may be mapped are served so from now on. */
  void flush() throws Exception {
    connection.getAdmin().flush(name);
    if (mapped) {
      long before = mappedBlocks();
      Eventually.holds(
          () -> {
            for (int row = 0; row < KilledClient.ROWS; row++) {
              read(row);
            }
            assertThat(mappedBlocks()).isGreaterThan(before);
          });
    }
  }

  private long mappedBlocks() throws Exception {
    return EverythingOn.sum(cluster, "MappedBlocks", "mappedBlockCount");
  }

  private Result read(int row) throws IOException {
    try (Table table = connection.getTable(name)) {
      return table.get(new Get(Bytes.toBytes("row" + row)));
    }
  }

  /**
   * Each operation that was acknowledged is there once. Of those that were not, each thread of a
   * client has one at most.
   */
  void requireExactValues() throws IOException {
    long unknown = 0;
    for (int row = 0; row < KilledClient.ROWS; row++) {
      Result result = read(row);
      unknown += unknownSums(row, result, KilledClient.SUM);
      unknown += unknownSums(row, result, KilledClient.VERSION);
      List<String> tokens = tokens(result);
      assertThat(tokens).as("tokens of row %d", row).doesNotHaveDuplicates();
      List<String> known = acknowledged(KilledClient.TOKENS, row);
      assertThat(tokens).as("tokens of row %d", row).containsAll(known);
      unknown += tokens.size() - known.size();
    }
    assertThat(acknowledged).hasSizeGreaterThan(killed * OPERATIONS / 2);
    assertThat(unknown).isLessThanOrEqualTo((long) killed * KilledClient.THREADS);
  }

  /** Every value of a sum was acknowledged to one client at most. */
  private long unknownSums(int row, Result result, byte[] column) {
    byte[] value = result.getValue(KilledClient.FAMILY, column);
    long sum = value == null ? 0 : Bytes.toLong(value);
    List<Long> known = acknowledged(column, row).stream().map(Long::valueOf).toList();
    assertThat(known)
        .as("%s of row %d", Bytes.toString(column), row)
        .doesNotHaveDuplicates()
        .allSatisfy(each -> assertThat(each).isBetween(1L, sum));
    return sum - known.size();
  }

  private static List<String> tokens(Result result) {
    byte[] value = result.getValue(KilledClient.FAMILY, KilledClient.TOKENS);
    return value == null
        ? List.of()
        : Arrays.asList(Bytes.toString(value).split(KilledClient.TOKEN_END));
  }

  private List<String> acknowledged(byte[] column, int row) {
    return acknowledged.stream()
        .filter(each -> each.column().equals(Bytes.toString(column)))
        .filter(each -> each.row().equals("row" + row))
        .map(Acknowledged::value)
        .toList();
  }

  @Override
  public void close() throws IOException {
    threads.shutdown();
    connection.close();
  }
}
