package org.fastpath.cluster;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A client process: {@code put ROW VALUE} creates the table if need be, {@code get ROW} prints. */
final class TableClient {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private TableClient() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Table table = connection.getTable(TABLE)) {
      if (args[0].equals("put")) {
        create(connection);
        table.put(
            new Put(Bytes.toBytes(args[1])).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(args[2])));
      } else {
        byte[] value = table.get(new Get(Bytes.toBytes(args[1]))).getValue(FAMILY, QUALIFIER);
        System.out.println("value=" + Bytes.toString(value));
      }
    }
  }

  private static void create(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(TABLE)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
      }
    }
  }
}
