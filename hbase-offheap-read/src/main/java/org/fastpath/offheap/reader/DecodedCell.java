package org.fastpath.offheap.reader;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * A cell of an encoded block: a key of its own, value and tags in the block's memory, which has to
 * be held as long as they are read.
 */
final class DecodedCell extends ByteBufferExtendedCell {
  private static final long FIXED_OVERHEAD =
      ClassSize.align(
              ClassSize.OBJECT
                  + 2 * ClassSize.REFERENCE
                  + 4 * Integer.BYTES
                  + Long.BYTES
                  + Short.BYTES
                  + Byte.BYTES)
          + ClassSize.BYTE_BUFFER;

  private final ByteBuffer key;
  private final ByteBuffer block;
  private final int value;
  private final int valueLength;
  private final int tags;
  private final int tagsLength;
  private final short rowLength;
  private final byte familyLength;
  private long sequence;

  /**
   * @param block what the contents are in
   * @param start where they begin in it
   */
  DecodedCell(DeltaCell cell, ByteBuffer block, int start) {
    this.key = ByteBuffer.wrap(Arrays.copyOf(cell.key, cell.keyLength));
    this.block = block;
    value = start + cell.value;
    valueLength = cell.valueLength;
    tags = start + cell.tags;
    tagsLength = cell.tagsLength;
    rowLength = (short) cell.rowLength;
    familyLength = (byte) (cell.familyBytes - Byte.BYTES);
    sequence = cell.sequence;
  }

  @Override
  public byte[] getRowArray() {
    return key.array();
  }

  @Override
  public int getRowOffset() {
    return Short.BYTES;
  }

  @Override
  public short getRowLength() {
    return rowLength;
  }

  @Override
  public ByteBuffer getRowByteBuffer() {
    return key;
  }

  @Override
  public int getRowPosition() {
    return Short.BYTES;
  }

  @Override
  public byte[] getFamilyArray() {
    return key.array();
  }

  @Override
  public int getFamilyOffset() {
    return Short.BYTES + rowLength + Byte.BYTES;
  }

  @Override
  public byte getFamilyLength() {
    return familyLength;
  }

  @Override
  public ByteBuffer getFamilyByteBuffer() {
    return key;
  }

  @Override
  public int getFamilyPosition() {
    return getFamilyOffset();
  }

  @Override
  public byte[] getQualifierArray() {
    return key.array();
  }

  @Override
  public int getQualifierOffset() {
    return getFamilyOffset() + familyLength;
  }

  @Override
  public int getQualifierLength() {
    return timestampOffset() - getQualifierOffset();
  }

  @Override
  public ByteBuffer getQualifierByteBuffer() {
    return key;
  }

  @Override
  public int getQualifierPosition() {
    return getQualifierOffset();
  }

  private int timestampOffset() {
    return key.capacity() - KeyValue.TIMESTAMP_TYPE_SIZE;
  }

  @Override
  public long getTimestamp() {
    return Bytes.toLong(key.array(), timestampOffset());
  }

  @Override
  public void setTimestamp(long timestamp) {
    Bytes.putLong(key.array(), timestampOffset(), timestamp);
  }

  @Override
  public void setTimestamp(byte[] timestamp) {
    Bytes.putBytes(key.array(), timestampOffset(), timestamp, 0, Long.BYTES);
  }

  @Override
  public byte getTypeByte() {
    return key.array()[key.capacity() - 1];
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
    ByteBufferUtils.putInt(out, key.capacity());
    ByteBufferUtils.putInt(out, valueLength);
    out.write(key.array(), 0, key.capacity());
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
    long bytes = FIXED_OVERHEAD + ClassSize.sizeOfByteArray(key.capacity());
    return block.hasArray() ? bytes + valueLength + tagsLength : bytes;
  }

  @Override
  public String toString() {
    return KeyValue.keyToString(key.array(), 0, key.capacity())
        + "/vlen="
        + valueLength
        + "/seqid="
        + sequence;
  }
}
