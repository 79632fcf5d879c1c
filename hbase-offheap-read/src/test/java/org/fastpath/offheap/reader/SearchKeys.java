package org.fastpath.offheap.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.HFileWriterImpl;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.fastpath.offheap.reader.HFileSamples.Sample;

/**
 * Chooses keys to search a file for. They are existing cells, HBase's artificial first and last
 * keys of a row or column, keys between cells and outside of all, and index keys. Keys near a
 * position and near the borders of blocks are more frequent. Not thread-safe.
 */
final class SearchKeys {
  private static final byte[] GREATEST = new byte[100];

  static {
    Arrays.fill(GREATEST, (byte) 0xff);
  }

  private final Sample sample;
  private final SplittableRandom random;
  private final List<Cell> borders;
  private int near;

  /**
   * Reads the borders of blocks.
   *
   * @param scanner a scanner of HBase, which this moves
   */
  SearchKeys(Sample sample, HFileScanner scanner, SplittableRandom random) throws IOException {
    this.sample = sample;
    this.random = random;
    this.borders = borders(scanner);
  }

  /** Returns the index key and the first cell of each block. */
  private static List<Cell> borders(HFileScanner scanner) throws IOException {
    List<Cell> borders = new ArrayList<>();
    if (scanner.seekTo()) {
      Cell next = scanner.getKey();
      while (next != KeyValueScanner.NO_NEXT_INDEXED_KEY) {
        Cell indexed = new KeyValue.KeyOnlyKeyValue(key(next));
        scanner.seekTo(indexed);
        borders.add(indexed);
        borders.add(scanner.getKey());
        next = scanner.getNextIndexedKey();
      }
    }
    return borders;
  }

  private static byte[] key(Cell cell) {
    return PrivateCellUtil.getCellKeySerializedAsKeyValueKey(cell);
  }

  /** Returns a key. Half of the keys are of cells that soon follow the previous one. */
  Cell next() {
    int what = random.nextInt(40);
    if (sample.cells().isEmpty() || what == 0) {
      return outside();
    }
    if (what < 6) {
      return derived(borders.get(random.nextInt(borders.size())));
    }
    int last = sample.cells().size() - 1;
    near =
        what < 15
            ? random.nextInt(last + 1)
            : Math.max(0, Math.min(last, near + random.nextInt(-1, 1 << random.nextInt(8))));
    return what == 39 && near > 0 ? between(near - 1, near) : derived(sample.cells().get(near));
  }

  /** Returns a key between two cells, as a writer makes keys for the index. */
  private Cell between(int left, int right) {
    return HFileWriterImpl.getMidpoint(
        sample.shape().comparison().comparator(),
        sample.cells().get(left),
        sample.cells().get(right));
  }

  private Cell outside() {
    return switch (random.nextInt(3)) {
      case 0 -> PrivateCellUtil.createFirstOnRow(HConstants.EMPTY_BYTE_ARRAY);
      case 1 -> PrivateCellUtil.createFirstOnRow(GREATEST);
      default -> PrivateCellUtil.createLastOnRow(GREATEST);
    };
  }

  private Cell derived(Cell cell) {
    Cell base = random.nextInt(3) == 0 ? offHeap(cell) : cell;
    return switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> base;
      case 4 -> new KeyValue.KeyOnlyKeyValue(key(base));
      case 5 -> PrivateCellUtil.createFirstOnRow(base);
      case 6 -> PrivateCellUtil.createLastOnRow(base);
      case 7 -> PrivateCellUtil.createFirstOnRowCol(base);
      case 8 -> PrivateCellUtil.createLastOnRowCol(base);
      case 9 -> PrivateCellUtil.createFirstOnRowColTS(base, timestamp(base));
      case 10 -> PrivateCellUtil.createFirstOnNextRow(base);
      case 11 ->
          PrivateCellUtil.createFirstDeleteFamilyCellOnRow(
              CellUtil.cloneRow(base), CellUtil.cloneFamily(base));
      case 12 -> otherColumn(base);
      default -> otherRow(base);
    };
  }

  private static Cell offHeap(Cell cell) {
    KeyValue copy = cell instanceof KeyValue.KeyOnlyKeyValue ? whole(cell) : (KeyValue) cell;
    ByteBuffer buffer = ByteBuffer.allocateDirect(copy.getLength() + 3);
    buffer.put(3, copy.getBuffer(), copy.getOffset(), copy.getLength());
    return new ByteBufferKeyValue(buffer, 3, copy.getLength());
  }

  private static KeyValue whole(Cell key) {
    return new KeyValue(
        CellUtil.cloneRow(key),
        CellUtil.cloneFamily(key),
        CellUtil.cloneQualifier(key),
        key.getTimestamp(),
        KeyValue.Type.codeToType(key.getTypeByte()),
        HConstants.EMPTY_BYTE_ARRAY);
  }

  private long timestamp(Cell cell) {
    long timestamp = cell.getTimestamp() + random.nextInt(-1, 2);
    return timestamp < 0 ? 0 : timestamp;
  }

  private Cell otherColumn(Cell cell) {
    return new KeyValue(
        CellUtil.cloneRow(cell),
        CellUtil.cloneFamily(cell),
        neighbour(CellUtil.cloneQualifier(cell)),
        timestamp(cell),
        random.nextBoolean() ? KeyValue.Type.Put : KeyValue.Type.DeleteColumn,
        HConstants.EMPTY_BYTE_ARRAY);
  }

  private Cell otherRow(Cell cell) {
    byte[] row = neighbour(CellUtil.cloneRow(cell));
    return random.nextBoolean() || row.length == 0 || row.length > Short.MAX_VALUE
        ? PrivateCellUtil.createFirstOnRow(row.length > Short.MAX_VALUE ? GREATEST : row)
        : new KeyValue(
            row,
            CellUtil.cloneFamily(cell),
            CellUtil.cloneQualifier(cell),
            timestamp(cell),
            HConstants.EMPTY_BYTE_ARRAY);
  }

  /** Returns bytes that sort close to these. Rows of hbase:meta keep their commas. */
  private byte[] neighbour(byte[] bytes) {
    boolean keep = sample.shape().rows() == HFileShape.Rows.META;
    switch (bytes.length == 0 || keep ? 0 : random.nextInt(3)) {
      case 0:
        return Arrays.copyOf(bytes, bytes.length + 1);
      case 1:
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default:
        byte[] other = bytes.clone();
        other[random.nextInt(bytes.length)] += random.nextBoolean() ? 1 : -1;
        return other;
    }
  }
}
