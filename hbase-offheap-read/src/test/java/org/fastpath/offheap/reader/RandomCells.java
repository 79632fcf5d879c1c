package org.fastpath.offheap.reader;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Creates cells of one family. Each part often equals that of the previous cell, fully or as a
 * prefix, because delta encodings omit such parts. Not thread-safe.
 */
final class RandomCells {
  private static final byte[] FAMILY = Bytes.toBytes("family");
  private static final byte[] ALPHABET = {0, 'a', 'b', (byte) 0xff};
  private static final long[] TIMESTAMPS = {
    0, 1, 1_700_000_000_000L, 1_700_000_000_001L, 1_700_000_070_000L, HConstants.LATEST_TIMESTAMP
  };
  private static final KeyValue.Type[] TYPES = {
    KeyValue.Type.Put, KeyValue.Type.Put, KeyValue.Type.Delete, KeyValue.Type.DeleteFamily
  };

  private final SplittableRandom random;
  private final boolean tags;
  private final boolean mvcc;
  private final byte[] prefix;
  private final int columns;
  private final int values;

  RandomCells(SplittableRandom random, boolean tags, boolean mvcc) {
    this.random = random;
    this.tags = tags;
    this.mvcc = mvcc;
    prefix = bytes(random.nextInt(20) == 0 ? 5000 : random.nextInt(30));
    columns = random.nextInt(3) == 0 ? 1 : random.nextInt(1, 200);
    values = random.nextInt(1, 150);
  }

  /** Returns cells of a block, in order. */
  List<KeyValue> next() {
    List<KeyValue> cells = new ArrayList<>();
    int count = random.nextInt(20) == 0 ? random.nextInt(1, 4) : random.nextInt(1, 800);
    byte[] row = prefix;
    byte[] value = bytes(values);
    for (int i = 0; i < count; i++) {
      row = random.nextInt(columns) == 0 ? Bytes.add(prefix, bytes(random.nextInt(12))) : row;
      value = random.nextInt(3) == 0 ? value : bytes(random.nextInt(values));
      KeyValue cell =
          new KeyValue(row, FAMILY, qualifier(), timestamp(), type(), value, randomTags());
      cell.setSequenceId(mvcc ? random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63) : 0);
      cells.add(cell);
    }
    cells.sort(CellComparatorImpl.COMPARATOR);
    return cells;
  }

  /** Returns a key to search for: that of a cell, or one close to it. */
  Cell key(List<KeyValue> cells) {
    KeyValue cell = cells.get(random.nextInt(cells.size()));
    return switch (random.nextInt(8)) {
      case 0 -> PrivateCellUtil.createFirstOnRow(cell);
      case 1 -> PrivateCellUtil.createLastOnRow(cell);
      case 2 -> PrivateCellUtil.createLastOnRowCol(cell);
      case 3 -> new KeyValue(row(cell), FAMILY, qualifier(), timestamp(), type());
      case 4 -> PrivateCellUtil.createFirstOnRow(Bytes.add(prefix, bytes(random.nextInt(12))));
      case 5 -> PrivateCellUtil.createFirstOnRow(bytes(random.nextInt(30)));
      default -> cell;
    };
  }

  private byte[] row(Cell cell) {
    byte[] row = CellUtil.cloneRow(cell);
    return random.nextBoolean() ? row : Arrays.copyOf(row, row.length + 1);
  }

  private byte[] qualifier() {
    return bytes(random.nextInt(8));
  }

  private long timestamp() {
    return TIMESTAMPS[random.nextInt(TIMESTAMPS.length)];
  }

  private KeyValue.Type type() {
    return TYPES[random.nextInt(TYPES.length)];
  }

  private List<Tag> randomTags() {
    List<Tag> list = new ArrayList<>();
    for (int i = tags ? random.nextInt(3) : 0; i > 0; i--) {
      list.add(new ArrayBackedTag((byte) i, bytes(random.nextInt(200))));
    }
    return list;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return bytes;
  }
}
