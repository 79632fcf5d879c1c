package org.fastpath.bench.ycsb;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** The connection of all client threads. The first user opens it, the last one closes it. */
final class SharedConnection {
  private static final Object LOCK = new Object();
  private static Connection connection;
  private static int users;

  private SharedConnection() {}

  static void acquire() throws IOException {
    synchronized (LOCK) {
      if (users == 0) {
        connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      }
      users++;
    }
  }

  static Connection get() {
    synchronized (LOCK) {
      return connection;
    }
  }

  static void release() throws IOException {
    synchronized (LOCK) {
      users--;
      if (users == 0) {
        connection.close();
      }
    }
  }
}
