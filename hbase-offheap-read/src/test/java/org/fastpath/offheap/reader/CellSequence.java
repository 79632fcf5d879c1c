package org.fastpath.offheap.reader;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Creates the cells of a file of a shape, in the file's order. Values differ, so two cells of the
 * same key can be distinguished. Not thread-safe.
 */
final class CellSequence {
  /** The limit of the bytes of a file's cells. */
  private static final int BYTES_LIMIT = 1 << 20;

  private static final byte[] ALPHABET = {0, 1, 'a', 'b', (byte) 0xff};
  private static final long[] TIMESTAMPS = {0, 1, 2, 1700000000000L, HConstants.LATEST_TIMESTAMP};
  private static final KeyValue.Type[] TYPES = {
    KeyValue.Type.Put,
    KeyValue.Type.Put,
    KeyValue.Type.Put,
    KeyValue.Type.Delete,
    KeyValue.Type.DeleteColumn,
    KeyValue.Type.DeleteFamily,
    KeyValue.Type.DeleteFamilyVersion
  };

  private final HFileShape shape;
  private final SplittableRandom random;
  private final List<KeyValue> cells = new ArrayList<>();
  private final byte[] prefix;
  private int rows;
  private long bytes;

  private CellSequence(HFileShape shape, SplittableRandom random) {
    this.shape = shape;
    this.random = random;
    this.prefix = bytes(random.nextInt(1, shape.rows() == HFileShape.Rows.LONG ? 30_000 : 30));
  }

  static List<KeyValue> of(HFileShape shape, SplittableRandom random) {
    CellSequence sequence = new CellSequence(shape, random);
    while (sequence.isUnfinished()) {
      sequence.addRow();
    }
    CellComparator comparator = shape.comparison().comparator();
    sequence.cells.sort(comparator);
    return sequence.cells;
  }

  private boolean isUnfinished() {
    return cells.size() < shape.cells() && bytes < BYTES_LIMIT;
  }

  private void addRow() {
    byte[] row = row();
    rows++;
    for (int column = 0; column < shape.columns() && isUnfinished(); column++) {
      byte[] family = Bytes.toBytes("family".substring(0, random.nextInt(shape.families())));
      byte[] qualifier = qualifier(column);
      long timestamp = timestamp();
      for (int version = random.nextInt(shape.versions()); version >= 0; version--) {
        KeyValue.Type type = TYPES[random.nextInt(TYPES.length)];
        addCell(row, family, qualifier, timestamp, type);
        if (random.nextBoolean()) {
          timestamp = timestamp();
        }
      }
    }
  }

  /** Adds a cell, and sometimes the same cell again, like a client that repeats a write. */
  private void addCell(
      byte[] row, byte[] family, byte[] qualifier, long timestamp, KeyValue.Type type) {
    do {
      KeyValue cell = new KeyValue(row, family, qualifier, timestamp, type, value(type), tags());
      cell.setSequenceId(sequenceId());
      cells.add(cell);
      bytes += cell.getLength();
    } while (random.nextInt(20) == 0 && isUnfinished());
  }

  private long timestamp() {
    return random.nextInt(3) == 0
        ? TIMESTAMPS[random.nextInt(TIMESTAMPS.length)]
        : 1700000000000L + random.nextInt(100);
  }

  private byte[] row() {
    return switch (shape.rows()) {
      case NUMBERED -> Bytes.add(prefix, Bytes.toBytes(rows * 7919));
      case NESTED -> nested(random.nextInt(1, 8));
      case RANDOM -> bytes(random.nextInt(1, 65));
      case LONG -> Bytes.add(prefix, bytes(random.nextInt(1, Short.MAX_VALUE - prefix.length + 1)));
      case META ->
          Bytes.toBytes("t" + random.nextInt(3) + ",k" + random.nextInt(1000) + "," + rows);
    };
  }

  private byte[] nested(int length) {
    byte[] row = new byte[length];
    for (int i = 0; i < length; i++) {
      row[i] = ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return row;
  }

  private byte[] qualifier(int column) {
    if (column == 0) {
      return HConstants.EMPTY_BYTE_ARRAY;
    }
    return switch (column % 3) {
      case 0 -> nested(random.nextInt(1, 20));
      case 1 -> Bytes.toBytes(column);
      default -> Bytes.toBytes("a rather long name of a column " + column);
    };
  }

  private byte[] value(KeyValue.Type type) {
    if (type != KeyValue.Type.Put && random.nextBoolean()) {
      return HConstants.EMPTY_BYTE_ARRAY;
    }
    return switch (shape.values()) {
      case EMPTY -> HConstants.EMPTY_BYTE_ARRAY;
      case SMALL -> bytes(random.nextInt(8, 130));
      case MIXED -> bytes(random.nextInt(2048));
      case LARGE ->
          bytes(
              random.nextInt(50) == 0
                  ? random.nextInt(Math.min(200 << 10, 5 * shape.blockSize()))
                  : random.nextInt(300));
    };
  }

  private byte[] tags() {
    List<Tag> tags = new ArrayList<>();
    switch (shape.tags()) {
      case ABSENT, NO_CELL -> {}
      case SOME_CELLS -> addTags(tags, random.nextInt(4), 20);
      case LARGE -> addTags(tags, random.nextInt(4), random.nextInt(10) == 0 ? 5000 : 200);
    }
    return TagUtil.fromList(tags);
  }

  private void addTags(List<Tag> tags, int count, int length) {
    for (int i = 0; i < count; i++) {
      // Short tags have few different values, so the dictionary is used.
      int of = random.nextInt(length);
      byte[] value = of < 10 ? new byte[of] : bytes(of);
      tags.add(new ArrayBackedTag((byte) random.nextInt(1, 10), value));
    }
  }

  private long sequenceId() {
    return switch (shape.mvcc()) {
      case ABSENT, ZERO -> 0;
      case SMALL -> random.nextInt(200);
      case HUGE -> random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
    };
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    if (length > 40 && random.nextBoolean()) {
      Arrays.fill(bytes, 20, length, (byte) 'x');
    }
    return bytes;
  }
}
