package org.fastpath.bench.ycsb;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Runs YCSB's operations by HBase's client, one request per operation. All threads share one
 * connection, like the default of YCSB's own binding. Each thread has an instance. The table must
 * exist; its column family is {@code f}.
 */
public final class HBaseDatabase extends DB {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** The connection of all client threads. The first one opens it, the last one closes it. */
  private static Connection connection;

  private static int users;
  private final Map<String, Table> tables = new HashMap<>();

  @Override
  public void init() throws DBException {
    synchronized (HBaseDatabase.class) {
      try {
        if (users == 0) {
          connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        }
        users++;
      } catch (IOException e) {
        throw new DBException(e);
      }
    }
  }

  @Override
  public void cleanup() throws DBException {
    synchronized (HBaseDatabase.class) {
      try {
        for (Table table : tables.values()) {
          table.close();
        }
        tables.clear();
        if (--users == 0) {
          connection.close();
        }
      } catch (IOException e) {
        throw new DBException(e);
      }
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    Get get = new Get(Bytes.toBytes(key));
    if (fields == null) {
      get.addFamily(FAMILY);
    } else {
      fields.forEach(field -> get.addColumn(FAMILY, Bytes.toBytes(field)));
    }
    try {
      Result row = table(table).get(get);
      if (row.isEmpty()) {
        return Status.NOT_FOUND;
      }
      copy(row, result);
      return Status.OK;
    } catch (IOException e) {
      return failed("read", e);
    }
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    Scan scan = new Scan().withStartRow(Bytes.toBytes(startKey)).setLimit(count).setCaching(count);
    if (fields == null) {
      scan.addFamily(FAMILY);
    } else {
      fields.forEach(field -> scan.addColumn(FAMILY, Bytes.toBytes(field)));
    }
    try (ResultScanner rows = table(table).getScanner(scan)) {
      for (Result row : rows) {
        HashMap<String, ByteIterator> values = new HashMap<>();
        copy(row, values);
        result.add(values);
      }
      return Status.OK;
    } catch (IOException e) {
      return failed("scan", e);
    }
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    Put put = new Put(Bytes.toBytes(key));
    values.forEach((field, value) -> put.addColumn(FAMILY, Bytes.toBytes(field), value.toArray()));
    try {
      table(table).put(put);
      return Status.OK;
    } catch (IOException e) {
      return failed("write", e);
    }
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return update(table, key, values);
  }

  @Override
  public Status delete(String table, String key) {
    try {
      table(table).delete(new Delete(Bytes.toBytes(key)));
      return Status.OK;
    } catch (IOException e) {
      return failed("delete", e);
    }
  }

  private static void copy(Result row, Map<String, ByteIterator> values) {
    for (Cell cell : row.rawCells()) {
      String field = Bytes.toString(CellUtil.cloneQualifier(cell));
      values.put(field, new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
    }
  }

  private Table table(String name) throws IOException {
    Table table = tables.get(name);
    if (table == null) {
      table = connection.getTable(TableName.valueOf(name));
      tables.put(name, table);
    }
    return table;
  }

  private static Status failed(String operation, IOException e) {
    System.err.println("cannot " + operation + ": " + e);
    return Status.ERROR;
  }
}
