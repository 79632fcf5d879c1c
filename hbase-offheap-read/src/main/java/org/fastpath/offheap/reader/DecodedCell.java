package org.fastpath.offheap.reader;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * A cell of an encoded block without tags. It has its own key. The value is in the block's memory,
 * so the block must be held while the value is read. Each returned cell is one object of this
 * class, so its size is limited to 40 bytes. The lengths of row and family are read from the key.
 */
class DecodedCell extends ByteBufferExtendedCell {
  /**
   * The bytes of fields in both of HBase's decoded cells, apart from the memory of keys and values.
   */
  private static final int HBASE_FIELDS =
      ClassSize.OBJECT + 3 * ClassSize.REFERENCE + 2 * Long.BYTES + 7 * Integer.BYTES + Short.BYTES;

  /** HBase's overhead of a decoded cell on the heap, in bytes. HBase adds the bytes of the cell. */
  private static final long ON_HEAP_OVERHEAD =
      ClassSize.align(HBASE_FIELDS + 2 * Byte.BYTES + 3 * ClassSize.ARRAY);

  /**
   * HBase's size of a decoded cell off the heap, in bytes. HBase does not add the bytes of the
   * cell.
   */
  private static final long OFF_HEAP_SIZE =
      ClassSize.align(HBASE_FIELDS) + 2 * Byte.BYTES + 3 * ClassSize.BYTE_BUFFER;

  /**
   * The bits of a key's length. The other bits hold its position: see {@link DecodedKeys#LONGEST}.
   */
  private static final int LENGTH_BITS = 21;

  /** The value for this length and longer ones; such a key has a buffer of its own. */
  private static final int LONG_KEY = (1 << LENGTH_BITS) - 1;

  /** The buffer of the key; other cells' keys are in it too. */
  private final ByteBuffer keys;

  /** Position and length of the key in the buffer. */
  private final int keyAndLength;

  final ByteBuffer block;
  private final int value;
  private final int valueLength;
  private long sequence;

  /**
   * Copies a decoded cell.
   *
   * @param keys receives the cell's key
   * @param block the buffer of the contents
   * @param start position of the contents in it
   */
  DecodedCell(DeltaCell cell, DecodedKeys keys, ByteBuffer block, int start) {
    int key = keys.add(cell.key, cell.keyLength);
    keyAndLength = key << LENGTH_BITS | Math.min(cell.keyLength, LONG_KEY);
    this.keys = keys.buffer();
    this.block = block;
    value = start + cell.value;
    valueLength = cell.valueLength;
    sequence = cell.sequence;
  }

  /** Returns a cell with tags or without, like the decoded one. */
  static DecodedCell of(DeltaCell cell, DecodedKeys keys, ByteBuffer block, int start) {
    return cell.tagsLength == 0
        ? new DecodedCell(cell, keys, block, start)
        : new TaggedDecodedCell(cell, keys, block, start);
  }

  private int key() {
    return keyAndLength >>> LENGTH_BITS;
  }

  private int keyLength() {
    int length = keyAndLength & LONG_KEY;
    return length == LONG_KEY ? keys.capacity() : length;
  }

  @Override
  public byte[] getRowArray() {
    return keys.array();
  }

  @Override
  public int getRowOffset() {
    return key() + Short.BYTES;
  }

  @Override
  public short getRowLength() {
    return Bytes.toShort(keys.array(), key());
  }

  @Override
  public ByteBuffer getRowByteBuffer() {
    return keys;
  }

  @Override
  public int getRowPosition() {
    return key() + Short.BYTES;
  }

  private int familyLengthOffset() {
    return key() + Short.BYTES + getRowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    return keys.array();
  }

  @Override
  public int getFamilyOffset() {
    return familyLengthOffset() + Byte.BYTES;
  }

  @Override
  public byte getFamilyLength() {
    return keys.array()[familyLengthOffset()];
  }

  @Override
  public ByteBuffer getFamilyByteBuffer() {
    return keys;
  }

  @Override
  public int getFamilyPosition() {
    return getFamilyOffset();
  }

  @Override
  public byte[] getQualifierArray() {
    return keys.array();
  }

  @Override
  public int getQualifierOffset() {
    int family = familyLengthOffset();
    return family + Byte.BYTES + keys.array()[family];
  }

  @Override
  public int getQualifierLength() {
    return timestampOffset() - getQualifierOffset();
  }

  @Override
  public ByteBuffer getQualifierByteBuffer() {
    return keys;
  }

  @Override
  public int getQualifierPosition() {
    return getQualifierOffset();
  }

  private int timestampOffset() {
    return key() + keyLength() - KeyValue.TIMESTAMP_TYPE_SIZE;
  }

  @Override
  public long getTimestamp() {
    return Bytes.toLong(keys.array(), timestampOffset());
  }

  @Override
  public void setTimestamp(long timestamp) {
    Bytes.putLong(keys.array(), timestampOffset(), timestamp);
  }

  @Override
  public void setTimestamp(byte[] timestamp) {
    Bytes.putBytes(keys.array(), timestampOffset(), timestamp, 0, Long.BYTES);
  }

  @Override
  public byte getTypeByte() {
    return keys.array()[key() + keyLength() - 1];
  }

  @Override
  public long getSequenceId() {
    return sequence;
  }

  @Override
  public void setSequenceId(long sequence) {
    this.sequence = sequence;
  }

  @Override
  public byte[] getValueArray() {
    return block.hasArray() ? block.array() : CellUtil.cloneValue(this);
  }

  @Override
  public int getValueOffset() {
    return block.hasArray() ? block.arrayOffset() + value : 0;
  }

  @Override
  public int getValueLength() {
    return valueLength;
  }

  @Override
  public ByteBuffer getValueByteBuffer() {
    return block;
  }

  @Override
  public int getValuePosition() {
    return value;
  }

  @Override
  public byte[] getTagsArray() {
    return HConstants.EMPTY_BYTE_ARRAY;
  }

  @Override
  public int getTagsOffset() {
    return 0;
  }

  @Override
  public int getTagsLength() {
    return 0;
  }

  @Override
  public ByteBuffer getTagsByteBuffer() {
    return HConstants.EMPTY_BYTE_BUFFER;
  }

  @Override
  public int getTagsPosition() {
    return 0;
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    int keyLength = keyLength();
    ByteBufferUtils.putInt(out, keyLength);
    ByteBufferUtils.putInt(out, valueLength);
    out.write(keys.array(), key(), keyLength);
    ByteBufferUtils.copyBufferToStream(out, block, value, valueLength);
    return getSerializedSize(withTags);
  }

  /**
   * Returns the size in bytes of HBase's own decoded cell, not the smaller one of this object. Size
   * limits of scans and quotas count it, so a scan ends at the same cell as in HBase.
   */
  @Override
  public long heapSize() {
    return block.hasArray()
        ? ON_HEAP_OVERHEAD
            + getRowLength()
            + getFamilyLength()
            + getQualifierLength()
            + valueLength
            + getTagsLength()
        : OFF_HEAP_SIZE;
  }

  @Override
  public String toString() {
    return KeyValue.keyToString(keys.array(), key(), keyLength())
        + "/vlen="
        + valueLength
        + "/seqid="
        + sequence;
  }
}
