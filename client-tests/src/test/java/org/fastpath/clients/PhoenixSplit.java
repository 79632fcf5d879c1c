package org.fastpath.clients;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A program that requests the split of a Phoenix table with a local index, and does not wait for
 * it. Its argument is the JDBC URL.
 */
public final class PhoenixSplit {
  static final String TABLE = "FP_SPLIT";

  private static final int ROWS = 200;

  private PhoenixSplit() {}

  /** Fills the table, flushes it and requests its split. */
  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection(args[0]);
        org.apache.hadoop.hbase.client.Connection hbase =
            ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = hbase.getAdmin()) {
      fill(connection);
      TableName table = TableName.valueOf(TABLE);
      admin.flush(table);
      admin.splitRegionAsync(
          admin.getRegions(table).get(0).getRegionName(), PhoenixWork.key(ROWS / 2));
    }
    System.exit(0);
  }

  private static void fill(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE " + TABLE + " (id INTEGER NOT NULL PRIMARY KEY, number INTEGER)");
      statement.execute("CREATE LOCAL INDEX L_" + TABLE + " ON " + TABLE + " (number)");
      for (int id = 0; id < ROWS; id++) {
        statement.execute("UPSERT INTO " + TABLE + " VALUES (" + id + ", " + id % 7 + ")");
      }
    }
    connection.commit();
  }
}
