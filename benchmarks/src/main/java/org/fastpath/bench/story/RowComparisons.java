package org.fastpath.bench.story;

import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * HBase's comparison of two cells' rows, in three forms that differ in how they find out where the
 * bytes are.
 */
final class RowComparisons {
  private RowComparisons() {}

  /** Compares the rows of a pair. */
  interface RowComparison {
    int compare(int pair);
  }

  static RowComparison of(String check, String cells) {
    CellPairs pairs = new CellPairs(cells, check.equals("interface"));
    switch (check) {
      case "none":
        return new Unchecked(pairs);
      case "abstract-class":
        return new AbstractClass(pairs);
      case "interface":
        return new Interface(pairs);
      default:
        throw new IllegalArgumentException("there is no check " + check);
    }
  }

  /** Knows the types by the number of the pair. */
  private record Unchecked(CellPairs pairs) implements RowComparison {
    @Override
    public int compare(int pair) {
      if (pairs.leftIsBuffer(pair)) {
        return pairs.rightIsBuffer(pair)
            ? buffers(pairs.leftBuffers[pair], pairs.rightBuffers[pair])
            : bufferArray(pairs.leftBuffers[pair], pairs.rightArrays[pair]);
      }
      return pairs.rightIsBuffer(pair)
          ? -bufferArray(pairs.rightBuffers[pair], pairs.leftArrays[pair])
          : arrays(pairs.leftArrays[pair], pairs.rightArrays[pair]);
    }

    private static int buffers(ByteBufferExtendedCell left, ByteBufferExtendedCell right) {
      return AbstractClass.buffers(left, right);
    }

    private static int bufferArray(ByteBufferExtendedCell left, Cell right) {
      return AbstractClass.bufferArray(left, right);
    }
  }

  /** Asks each cell whether it is an instance of HBase's abstract class. */
  private record AbstractClass(CellPairs pairs) implements RowComparison {
    @Override
    public int compare(int pair) {
      Cell left = pairs.left[pair];
      Cell right = pairs.right[pair];
      if (left instanceof ByteBufferExtendedCell leftBuffer) {
        return right instanceof ByteBufferExtendedCell rightBuffer
            ? buffers(leftBuffer, rightBuffer)
            : bufferArray(leftBuffer, right);
      }
      return right instanceof ByteBufferExtendedCell rightBuffer
          ? -bufferArray(rightBuffer, left)
          : arrays(left, right);
    }

    static int buffers(ByteBufferExtendedCell left, ByteBufferExtendedCell right) {
      return ByteBufferUtils.compareTo(
          left.getRowByteBuffer(),
          left.getRowPosition(),
          left.getRowLength(),
          right.getRowByteBuffer(),
          right.getRowPosition(),
          right.getRowLength());
    }

    static int bufferArray(ByteBufferExtendedCell left, Cell right) {
      return ByteBufferUtils.compareTo(
          left.getRowByteBuffer(),
          left.getRowPosition(),
          left.getRowLength(),
          right.getRowArray(),
          right.getRowOffset(),
          right.getRowLength());
    }
  }

  /** Asks each cell whether it implements an interface. */
  private record Interface(CellPairs pairs) implements RowComparison {
    @Override
    public int compare(int pair) {
      Cell left = pairs.left[pair];
      Cell right = pairs.right[pair];
      if (left instanceof BufferBacked leftBuffer) {
        return right instanceof BufferBacked rightBuffer
            ? buffers(leftBuffer, rightBuffer)
            : bufferArray(leftBuffer, right);
      }
      return right instanceof BufferBacked rightBuffer
          ? -bufferArray(rightBuffer, left)
          : arrays(left, right);
    }

    private static int buffers(BufferBacked left, BufferBacked right) {
      return ByteBufferUtils.compareTo(
          left.getRowByteBuffer(),
          left.getRowPosition(),
          left.getRowLength(),
          right.getRowByteBuffer(),
          right.getRowPosition(),
          right.getRowLength());
    }

    private static int bufferArray(BufferBacked left, Cell right) {
      return ByteBufferUtils.compareTo(
          left.getRowByteBuffer(),
          left.getRowPosition(),
          left.getRowLength(),
          right.getRowArray(),
          right.getRowOffset(),
          right.getRowLength());
    }
  }

  private static int arrays(Cell left, Cell right) {
    return Bytes.compareTo(
        left.getRowArray(),
        left.getRowOffset(),
        left.getRowLength(),
        right.getRowArray(),
        right.getRowOffset(),
        right.getRowLength());
  }
}
