package org.fastpath.offheap.reader;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Describes the difference between two cells that a reader can see; null if there is none. */
final class CellDifference {
  private CellDifference() {}

  /** Compares keys: all parts except value, tags and sequence number. */
  static String ofKeys(Cell a, Cell b) {
    if (a == null || b == null) {
      return a == b ? null : "one is null";
    }
    if (!CellUtil.matchingRows(a, b)) {
      return "row";
    }
    if (!CellUtil.matchingFamily(a, b)) {
      return "family";
    }
    if (!CellUtil.matchingQualifier(a, b)) {
      return "qualifier";
    }
    if (a.getTimestamp() != b.getTimestamp()) {
      return "timestamp";
    }
    return a.getTypeByte() == b.getTypeByte() ? null : "type";
  }

  /** Compares keys, values and sequence numbers. */
  static String withoutTags(Cell a, Cell b) {
    String ofKeys = ofKeys(a, b);
    if (ofKeys != null || a == null) {
      return ofKeys;
    }
    if (!CellUtil.matchingValue(a, b)) {
      return "value";
    }
    return sequenceId(a) == sequenceId(b) ? null : "sequence number";
  }

  /** Compares keys, values, tags and sequence numbers. */
  static String of(Cell left, Cell right) {
    String withoutTags = withoutTags(left, right);
    if (withoutTags != null || left == null) {
      return withoutTags;
    }
    int tags = ((ExtendedCell) left).getTagsLength();
    return tags == ((ExtendedCell) right).getTagsLength()
            && PrivateCellUtil.matchingTags(left, right, tags, tags)
        ? null
        : "tags";
  }

  private static long sequenceId(Cell cell) {
    return ((ExtendedCell) cell).getSequenceId();
  }

  /** Compares all results of an {@link ExtendedCell} and its serialized form. */
  static String ofEverything(Cell a, Cell b) {
    String difference = of(a, b);
    if (difference != null || a == null) {
      return difference;
    }
    ExtendedCell left = (ExtendedCell) a;
    ExtendedCell right = (ExtendedCell) b;
    if (!Arrays.equals(written(left, true), written(right, true))) {
      return "written with tags";
    }
    if (!Arrays.equals(written(left, false), written(right, false))) {
      return "written without tags";
    }
    if (!Arrays.equals(copied(left), copied(right))) {
      return "copied parts";
    }
    if (!Arrays.equals(arrays(left), arrays(right))) {
      return "arrays of parts";
    }
    if (KeyValueUtil.keyLength(left) != KeyValueUtil.keyLength(right)
        || PrivateCellUtil.estimatedSerializedSizeOf(left)
            != PrivateCellUtil.estimatedSerializedSizeOf(right)) {
      return "lengths";
    }
    return ofCopies(left, right);
  }

  /**
   * Compares copies. HBase's decoded cells cannot be copied, neither to a buffer nor as a whole;
   * ours may be.
   */
  private static String ofCopies(ExtendedCell left, ExtendedCell right) {
    Outcome<byte[]> buffer = Outcome.of(() -> writtenToBuffer(left));
    if (buffer.returned() && !Arrays.equals(buffer.value(), writtenToBuffer(right))) {
      return "written to a buffer";
    }
    if (!Outcome.of(left::deepClone).returned()) {
      return null;
    }
    String ofClone = of(left, right.deepClone());
    return ofClone == null ? null : ofClone + " of the clone";
  }

  /** Returns the form that goes to a client or a log. */
  static byte[] written(ExtendedCell cell, boolean withTags) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      int length = cell.write(out, withTags);
      if (length != out.size() || length != cell.getSerializedSize(withTags)) {
        throw new AssertionError("wrote " + out.size() + " bytes, says " + length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static byte[] writtenToBuffer(ExtendedCell cell) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(cell.getSerializedSize(true) + 2);
    cell.write(buffer, 1);
    byte[] bytes = new byte[buffer.capacity()];
    buffer.get(0, bytes);
    return bytes;
  }

  /** Copies a cell by HBase's copiers, which use the buffers of a cell if it has some. */
  private static byte[] copied(Cell cell) {
    return join(
        CellUtil.cloneRow(cell),
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        CellUtil.cloneValue(cell),
        PrivateCellUtil.cloneTags(cell));
  }

  /** Returns the parts of a cell from its arrays. */
  static byte[] arrays(ExtendedCell cell) {
    return join(
        Bytes.copy(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()),
        Bytes.copy(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength()),
        Bytes.copy(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength()),
        Bytes.copy(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()),
        Bytes.copy(cell.getTagsArray(), cell.getTagsOffset(), cell.getTagsLength()));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(Bytes.toBytes(part.length));
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
