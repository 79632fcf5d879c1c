package org.fastpath.bench.story;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.NoTagsKeyValue;

/**
 * Pairs of cells with rows of 16 bytes that differ in the last ones, on the heap, off it, or of
 * both sorts and four classes. Where they are mixed, the lowest bits of a pair's number say which
 * of its cells are off the heap, so that a comparison can know it without looking at the cells.
 */
final class CellPairs {
  /** A power of two; few enough to stay in the first caches. */
  static final int PAIRS = 256;

  private static final int LEFT_BIT = 1;
  private static final int RIGHT_BIT = 2;
  private static final int OTHER_CLASS_BIT = 4;
  private static final int ALL_BITS = LEFT_BIT | RIGHT_BIT | OTHER_CLASS_BIT;
  private static final int ROWS = 10_000;
  private static final long SEED = 42;

  final Cell[] left = new Cell[PAIRS];
  final Cell[] right = new Cell[PAIRS];

  /** The same cells by their types; null where a cell is of the other one. */
  final ByteBufferExtendedCell[] leftBuffers = new ByteBufferExtendedCell[PAIRS];

  final ByteBufferExtendedCell[] rightBuffers = new ByteBufferExtendedCell[PAIRS];
  final KeyValue[] leftArrays = new KeyValue[PAIRS];
  final KeyValue[] rightArrays = new KeyValue[PAIRS];

  private final boolean interfaces;

  /** Bits of a pair's number that say something about its cells. */
  private final int varying;

  /** Bits that are the same for all pairs. */
  private final int fixed;

  CellPairs(String cells, boolean interfaces) {
    if (!List.of("array", "buffer", "mixed").contains(cells)) {
      throw new IllegalArgumentException("there are no cells " + cells);
    }
    this.interfaces = interfaces;
    this.varying = cells.equals("mixed") ? ALL_BITS : 0;
    this.fixed = cells.equals("buffer") ? LEFT_BIT | RIGHT_BIT : 0;
    Random random = new Random(SEED);
    for (int i = 0; i < PAIRS; i++) {
      left[i] = cell(i, is(i, LEFT_BIT), random.nextInt(ROWS));
      right[i] = cell(i, is(i, RIGHT_BIT), random.nextInt(ROWS));
      leftBuffers[i] = left[i] instanceof ByteBufferExtendedCell buffer ? buffer : null;
      rightBuffers[i] = right[i] instanceof ByteBufferExtendedCell buffer ? buffer : null;
      leftArrays[i] = left[i] instanceof KeyValue array ? array : null;
      rightArrays[i] = right[i] instanceof KeyValue array ? array : null;
    }
  }

  boolean leftIsBuffer(int pair) {
    return is(pair, LEFT_BIT);
  }

  boolean rightIsBuffer(int pair) {
    return is(pair, RIGHT_BIT);
  }

  private boolean is(int pair, int bit) {
    return ((pair & varying | fixed) & bit) != 0;
  }

  private Cell cell(int pair, boolean buffer, int row) {
    byte[] bytes =
        new KeyValue(
                ascii(String.format("usertable-%06d", row)), ascii("f"), ascii("q"), ascii("v"))
            .getBuffer();
    boolean other = is(pair, OTHER_CLASS_BIT);
    return buffer ? buffer(Memories.direct(bytes), other) : array(bytes, other);
  }

  private static Cell array(byte[] bytes, boolean other) {
    return other
        ? new NoTagsKeyValue(bytes, 0, bytes.length)
        : new KeyValue(bytes, 0, bytes.length);
  }

  private Cell buffer(ByteBuffer bytes, boolean other) {
    int length = bytes.remaining();
    if (interfaces) {
      return other
          ? new BufferBacked.WithoutTags(bytes, 0, length)
          : new BufferBacked.WithTags(bytes, 0, length);
    }
    return other
        ? new NoTagsByteBufferKeyValue(bytes, 0, length)
        : new ByteBufferKeyValue(bytes, 0, length);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
