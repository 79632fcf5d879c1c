package org.fastpath.offheap.reader;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.HFileBlockEncodingContext;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;

/** Creates blocks of one encoding by HBase's encoder, and their readers. */
final class EncodedBlocks {
  private static final int HEADER = HConstants.HFILEBLOCK_HEADER_SIZE;
  private static final long OFFSET = 4096;
  private static final Path PATH = new Path("/table/region/family/file");

  /** The bytes of the guard around a block's memory, which make a wrong read visible. */
  private static final int GUARD = 64;

  private final Configuration conf = new Configuration(false);
  private final DataBlockEncoding encoding;
  private final HFileContext context;

  EncodedBlocks(DataBlockEncoding encoding, boolean tags, boolean mvcc) {
    this.encoding = encoding;
    context =
        new HFileContextBuilder()
            .withDataBlockEncoding(encoding)
            .withIncludesTags(tags)
            .withIncludesMvcc(mvcc)
            .withCellComparator(CellComparatorImpl.COMPARATOR)
            .build();
  }

  /** Returns a block's bytes with its header. */
  byte[] encode(List<KeyValue> cells) throws IOException {
    DataBlockEncoder encoder = encoding.getEncoder();
    HFileBlockEncodingContext state =
        encoder.newDataBlockEncodingContext(
            conf, encoding, HConstants.HFILEBLOCK_DUMMY_HEADER, context);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(HConstants.HFILEBLOCK_DUMMY_HEADER);
    DataOutputStream out = new DataOutputStream(bytes);
    encoder.startBlockEncoding(state, out);
    for (KeyValue cell : cells) {
      encoder.encode(cell, state, out);
    }
    encoder.endBlockEncoding(state, out, bytes.getBuffer());
    return bytes.toByteArray();
  }

  HFileBlock onHeap(byte[] bytes) {
    return block(ByteBuff.wrap(ByteBuffer.wrap(bytes.clone())), bytes.length);
  }

  HFileBlock inParts(byte[] bytes) {
    ByteBuffer direct = direct(bytes, 0, (byte) 0);
    int half = bytes.length / 2;
    ByteBuffer[] parts = {direct.slice(0, half), direct.slice(half, bytes.length - half)};
    return block(ByteBuff.wrap(parts, RefCnt.create()), bytes.length);
  }

  private HFileBlock block(ByteBuff buffer, int length) {
    return new HFileBlock(
        BlockType.ENCODED_DATA,
        length - HEADER,
        length - HEADER,
        -1,
        buffer,
        HFileBlock.FILL_HEADER,
        OFFSET,
        -1,
        length,
        context,
        ByteBuffAllocator.HEAP);
  }

  /** Returns the bytes of the index that is cached with a block; empty if it has none. */
  byte[] index(byte[] bytes) {
    ByteBuffer index = BlockIndexer.ofThread().index(onHeap(bytes));
    byte[] copy = new byte[index.remaining()];
    index.get(copy);
    return copy;
  }

  /** Returns the block as it is in the cache. */
  HFileBlock cached(byte[] bytes, byte[] index, byte guard) {
    if (index.length == 0) {
      ByteBuffer direct = direct(bytes, 0, guard);
      return block(ByteBuff.wrap(direct.slice(0, bytes.length)), bytes.length);
    }
    int at = BlockIndexer.indexOffset(bytes.length);
    ByteBuffer direct = direct(bytes, at + index.length, guard);
    direct.put(at, index);
    return new IndexedBlock(
        BlockType.ENCODED_DATA,
        bytes.length - HEADER,
        bytes.length - HEADER,
        -1,
        direct,
        bytes.length,
        at,
        RefCnt.create(),
        OFFSET,
        -1,
        bytes.length,
        context,
        ByteBuffAllocator.HEAP);
  }

  private static ByteBuffer direct(byte[] bytes, int length, byte guard) {
    int all = Math.max(bytes.length, length);
    ByteBuffer memory = ByteBuffer.allocateDirect(all + 2 * GUARD);
    byte[] filled = new byte[memory.capacity()];
    Arrays.fill(filled, guard);
    memory.put(0, filled).put(GUARD, bytes);
    return memory.slice(GUARD, all);
  }

  BlockCursor cursor() {
    CellFormat format = CellFormat.of(context);
    return encoding == DataBlockEncoding.ROW_INDEX_V1
        ? new RowIndexBlockCursor(PATH, format, CellComparatorImpl.COMPARATOR)
        : new DeltaBlockCursor(PATH, format, encoding);
  }

  /** Returns HBase's seeker on the first cell of the block. */
  DataBlockEncoder.EncodedSeeker seeker(byte[] bytes) {
    return seeker(ByteBuffer.wrap(bytes));
  }

  /** Returns HBase's seeker over memory off the heap. */
  DataBlockEncoder.EncodedSeeker directSeeker(byte[] bytes) {
    return seeker(direct(bytes, bytes.length, (byte) 0));
  }

  private DataBlockEncoder.EncodedSeeker seeker(ByteBuffer block) {
    DataBlockEncoder encoder = encoding.getEncoder();
    DataBlockEncoder.EncodedSeeker seeker =
        encoder.createSeeker(encoder.newDataBlockDecodingContext(conf, context));
    int skipped = HEADER + DataBlockEncoding.ID_SIZE;
    ByteBuffer contents = block.slice(skipped, block.capacity() - skipped);
    seeker.setCurrentBuffer(ByteBuff.wrap(contents));
    return seeker;
  }

  @Override
  public String toString() {
    return encoding + ", tags " + context.isIncludesTags() + ", mvcc " + context.isIncludesMvcc();
  }
}
