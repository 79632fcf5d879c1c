package org.fastpath.offheap.reader;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * A cell of an encoded block: a key of its own, value and tags in the block's memory, which has to
 * be held as long as they are read. One is made for each cell that is returned, so it is kept to 48
 * bytes: lengths of row and family are read where the key has them.
 */
final class DecodedCell extends ByteBufferExtendedCell {
  private static final long FIXED_OVERHEAD =
      ClassSize.align(
          ClassSize.OBJECT
              + 2 * ClassSize.REFERENCE
              + 4 * Integer.BYTES
              + Long.BYTES
              + 2 * Character.BYTES);

  /** Other cells' keys are in it, too. */
  private final ByteBuffer keys;

  /** Where the key is in them: see {@link DecodedKeys#LONGEST}. */
  private final char key;

  private final int keyLength;
  private final ByteBuffer block;
  private final int value;
  private final int valueLength;
  private final int tags;
  private final char tagsLength;
  private long sequence;

  /**
   * @param keys where the cell's key goes
   * @param block what the contents are in
   * @param start where they begin in it
   */
  DecodedCell(DeltaCell cell, DecodedKeys keys, ByteBuffer block, int start) {
    key = (char) keys.add(cell.key, cell.keyLength);
    keyLength = cell.keyLength;
    this.keys = keys.buffer();
    this.block = block;
    value = start + cell.value;
    valueLength = cell.valueLength;
    tags = start + cell.tags;
    tagsLength = (char) cell.tagsLength;
    sequence = cell.sequence;
  }

  @Override
  public byte[] getRowArray() {
    return keys.array();
  }

  @Override
  public int getRowOffset() {
    return key + Short.BYTES;
  }

  @Override
  public short getRowLength() {
    return Bytes.toShort(keys.array(), key);
  }

  @Override
  public ByteBuffer getRowByteBuffer() {
    return keys;
  }

  @Override
  public int getRowPosition() {
    return key + Short.BYTES;
  }

  private int familyLengthOffset() {
    return key + Short.BYTES + getRowLength();
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
    return key + keyLength - KeyValue.TIMESTAMP_TYPE_SIZE;
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
    return keys.array()[key + keyLength - 1];
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
    return block.hasArray() ? block.array() : PrivateCellUtil.cloneTags(this);
  }

  @Override
  public int getTagsOffset() {
    return block.hasArray() ? block.arrayOffset() + tags : 0;
  }

  @Override
  public int getTagsLength() {
    return tagsLength;
  }

  @Override
  public ByteBuffer getTagsByteBuffer() {
    return block;
  }

  @Override
  public int getTagsPosition() {
    return tags;
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    ByteBufferUtils.putInt(out, keyLength);
    ByteBufferUtils.putInt(out, valueLength);
    out.write(keys.array(), key, keyLength);
    ByteBufferUtils.copyBufferToStream(out, block, value, valueLength);
    if (withTags && tagsLength > 0) {
      out.write(tagsLength >> Byte.SIZE);
      out.write(tagsLength);
      ByteBufferUtils.copyBufferToStream(out, block, tags, tagsLength);
    }
    return getSerializedSize(withTags);
  }

  @Override
  public long heapSize() {
    long bytes = FIXED_OVERHEAD + keyLength;
    return block.hasArray() ? bytes + valueLength + tagsLength : bytes;
  }

  @Override
  public String toString() {
    return KeyValue.keyToString(keys.array(), key, keyLength)
        + "/vlen="
        + valueLength
        + "/seqid="
        + sequence;
  }
}
