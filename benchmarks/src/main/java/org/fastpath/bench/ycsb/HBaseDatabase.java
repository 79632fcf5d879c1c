package org.fastpath.bench.ycsb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.stream.IntStream;
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
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Runs YCSB's operations by HBase's client, one request per operation. All threads share one
 * connection, like the default of YCSB's own binding. Each thread has an instance.
 *
 * <p>The table must exist. Properties: {@value #FAMILY}, default {@value #DEFAULT_FAMILY}, and
 * {@value #SCANS_NAME_COLUMNS}, default false: whether a read of all fields names them.
 */
public final class HBaseDatabase extends DB {
  /** The property with the column family of the fields. */
  public static final String FAMILY = "columnfamily";

  /** The property whether reads of all fields name each one, like clients with a schema. */
  public static final String SCANS_NAME_COLUMNS = "fastpath.name-columns";

  private static final String DEFAULT_FAMILY = "f";
  private static final String FIELD_COUNT = "fieldcount";
  private static final String DEFAULT_FIELD_COUNT = "10";

  /** The connection of all client threads. The first one opens it, the last one closes it. */
  private static Connection connection;

  private static int users;
  private final Map<String, Table> tables = new HashMap<>();
  private byte[] family;

  /** The fields that a read of all fields names; empty if it names none. */
  private List<byte[]> allFields = List.of();

  @Override
  public void init() throws DBException {
    family = bytes(getProperties().getProperty(FAMILY, DEFAULT_FAMILY));
    if (Boolean.parseBoolean(getProperties().getProperty(SCANS_NAME_COLUMNS))) {
      int count = Integer.parseInt(getProperties().getProperty(FIELD_COUNT, DEFAULT_FIELD_COUNT));
      allFields = IntStream.range(0, count).mapToObj(i -> bytes("field" + i)).toList();
    }
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
    Get get = new Get(bytes(key));
    get.addFamily(family);
    columns(fields).forEach(field -> get.addColumn(family, field));
    try {
      Result row = table(table).get(get);
      copy(row, result);
      return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
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
    Scan scan = new Scan().withStartRow(bytes(startKey)).setLimit(count).setCaching(count);
    scan.addFamily(family);
    columns(fields).forEach(field -> scan.addColumn(family, field));
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
    Put put = new Put(bytes(key));
    values.forEach((field, value) -> put.addColumn(family, bytes(field), value.toArray()));
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
      table(table).delete(new Delete(bytes(key)));
      return Status.OK;
    } catch (IOException e) {
      return failed("delete", e);
    }
  }

  private List<byte[]> columns(Set<String> fields) {
    return fields == null ? allFields : fields.stream().map(HBaseDatabase::bytes).toList();
  }

  private static void copy(Result row, Map<String, ByteIterator> values) {
    if (row.isEmpty()) {
      return;
    }
    for (Cell cell : row.rawCells()) {
      String field = new String(CellUtil.cloneQualifier(cell), StandardCharsets.UTF_8);
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

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
