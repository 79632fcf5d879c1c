package org.fastpath.clients.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The connections to a cluster, and the tables and snapshots of one run. Not thread-safe. */
final class Tables implements AutoCloseable {
  private static final byte[] NO_ROW = {0, 0, 0};
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(4);

  private final Configuration conf;
  private final Connection connection;
  private final AsyncConnection async;
  private final Admin admin;
  private final Set<TableName> tables = new LinkedHashSet<>();
  private final Set<String> snapshots = new LinkedHashSet<>();
  private int run;

  Tables(Configuration conf) throws Exception {
    this.conf = conf;
    connection = ConnectionFactory.createConnection(conf);
    async = ConnectionFactory.createAsyncConnection(conf).get();
    admin = connection.getAdmin();
  }

  void begin(int number) {
    run = number;
  }

  Configuration conf() {
    return conf;
  }

  Connection connection() {
    return connection;
  }

  Admin admin() {
    return admin;
  }

  /** Returns the table of this run that an argument of a line names. */
  TableName name(Line line, String argument) {
    return TableName.valueOf(prefix() + line.get(argument));
  }

  /** Returns the name of a snapshot in this run. */
  String snapshot(Line line) {
    return prefix() + line.get("snapshot");
  }

  private String prefix() {
    return "d" + run + "_";
  }

  Table open(Line line) throws IOException {
    return connection.getTable(name(line, "t"));
  }

  AsyncTable<AdvancedScanResultConsumer> openAsync(Line line) {
    return async.getTable(name(line, "t"));
  }

  /** Records a table that the end of the run drops. */
  void created(TableName table) {
    tables.add(table);
  }

  /** Returns the tables of this run that exist and are enabled. */
  List<TableName> existing() throws IOException {
    List<TableName> existing = new ArrayList<>();
    for (TableName name : tables) {
      if (admin.tableExists(name) && admin.isTableEnabled(name)) {
        existing.add(name);
      }
    }
    return existing;
  }

  /** Waits until each region of this run's tables answers; fails after some minutes. */
  void awaitAnswers() throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    for (TableName name : tables) {
      while (!answers(name)) {
        if (System.nanoTime() > end) {
          throw new IOException("a region of " + name + " does not answer");
        }
      }
    }
  }

  /** Returns whether all regions of an existing table answer, after the client's retries. */
  private boolean answers(TableName name) {
    try (Table table = connection.getTable(name)) {
      if (!admin.tableExists(name) || !admin.isTableEnabled(name)) {
        return true;
      }
      for (RegionInfo region : admin.getRegions(name)) {
        // No row has that key. HBase may fail on cells of NEW_VERSION_BEHAVIOR at each read.
        table.exists(new Get(Bytes.add(region.getStartKey(), NO_ROW)));
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  void snapshotTaken(String snapshot) {
    snapshots.add(snapshot);
  }

  /** Drops all tables and snapshots of the run. */
  void drop() throws IOException {
    for (String snapshot : new ArrayList<>(snapshots)) {
      admin.deleteSnapshot(snapshot);
    }
    snapshots.clear();
    for (TableName table : List.copyOf(tables)) {
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
    tables.clear();
  }

  @Override
  public void close() throws IOException {
    admin.close();
    async.close();
    connection.close();
  }
}
