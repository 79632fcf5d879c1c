package org.fastpath.offheap.reader;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.ByteBufferUtils;

/** A cell of an encoded block with tags, which are in the block's memory too. */
final class TaggedDecodedCell extends DecodedCell {
  private final int tags;
  private final char tagsLength;

  /** Creates a cell like {@link DecodedCell#of}. */
  TaggedDecodedCell(DeltaCell cell, DecodedKeys keys, ByteBuffer block, int start) {
    super(cell, keys, block, start);
    tags = start + cell.tags;
    tagsLength = (char) cell.tagsLength;
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
    int written = super.write(out, withTags);
    if (withTags) {
      out.write(tagsLength >> Byte.SIZE);
      out.write(tagsLength);
      ByteBufferUtils.copyBufferToStream(out, block, tags, tagsLength);
    }
    return written;
  }
}
