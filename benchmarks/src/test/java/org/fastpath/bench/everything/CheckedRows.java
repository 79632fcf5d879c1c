package org.fastpath.bench.everything;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Rows of one table whose values a test can compute from their number and version. Every seventh
 * row is deleted.
 */
record CheckedRows(Connection connection, TableName table, int count, int version) {
  static final byte[] FAMILY = {'f'};
  private static final byte[] COLUMN = {'q'};
  private static final int VALUE_BYTES = 300;
  private static final int DELETED = 7;

  /** Writes all rows again, and deletes some. */
  void write() throws IOException {
    try (BufferedMutator mutator = connection.getBufferedMutator(table)) {
      for (int i = 0; i < count; i++) {
        mutator.mutate(new Put(row(i)).addColumn(FAMILY, COLUMN, version, value(i)));
        if (i % DELETED == 0) {
          mutator.mutate(new Delete(row(i), version));
        }
      }
    }
  }

  /** Reads all rows by a forward scan, a reversed scan, and gets. */
  void check() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (i % DELETED != 0) {
        expected.add(text(row(i), value(i)));
      }
    }
    assertThat(scan(false)).as("%s, forwards", table).isEqualTo(expected);
    List<String> backwards = scan(true);
    Collections.reverse(backwards);
    assertThat(backwards).as("%s, backwards", table).isEqualTo(expected);
    assertThat(gets()).as("%s, gets", table).isEqualTo(expected);
  }

  private List<String> scan(boolean reversed) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table open = connection.getTable(table);
        ResultScanner scanner = open.getScanner(new Scan().setReversed(reversed))) {
      for (Result row : scanner) {
        rows.add(text(row.getRow(), row.getValue(FAMILY, COLUMN)));
      }
    }
    return rows;
  }

  private List<String> gets() throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      gets.add(new Get(row(i)));
    }
    List<String> rows = new ArrayList<>();
    try (Table open = connection.getTable(table)) {
      for (Result row : open.get(gets)) {
        if (!row.isEmpty()) {
          rows.add(text(row.getRow(), row.getValue(FAMILY, COLUMN)));
        }
      }
    }
    return rows;
  }

  private static byte[] row(int number) {
    return String.format("%06d", number).getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(31L * number + version).nextBytes(value);
    return value;
  }

  private static String text(byte[] row, byte[] value) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.wrap(value));
    return new String(row, StandardCharsets.US_ASCII) + "=" + Long.toHexString(sum.getValue());
  }
}
