package org.fastpath.offheap.reader;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Creates blocks of cells without files. */
public final class CellBlocks {
  private static final int HEADER = HConstants.HFILEBLOCK_HEADER_SIZE;

  private CellBlocks() {}

  static HFileContext context(boolean mvcc) {
    return new HFileContextBuilder()
        .withHBaseCheckSum(true)
        .withChecksumType(ChecksumType.NULL)
        .withBytesPerCheckSum(0)
        .withIncludesMvcc(mvcc)
        .build();
  }

  /** Returns cells in order. Rows share a prefix, and some have several columns and versions. */
  public static List<KeyValue> cells(SplittableRandom random, int rows, int valueBytes) {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      byte[] row = Bytes.toBytes("user" + random.nextInt(1 << random.nextInt(1, 31)));
      int columns = random.nextInt(8) == 0 ? random.nextInt(1, 20) : 1;
      for (int c = 0; c < columns; c++) {
        byte[] value = new byte[random.nextInt(valueBytes + 1)];
        byte[] qualifier = Bytes.toBytes("q" + c);
        cells.add(new KeyValue(row, Bytes.toBytes("f"), qualifier, random.nextInt(1, 1000), value));
      }
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  /** Returns a data block of these cells. */
  public static HFileBlock block(List<KeyValue> cells, boolean mvcc, long offset) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (KeyValue cell : cells) {
      out.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
      if (mvcc) {
        out.write(0);
      }
    }
    ByteBuffer buffer = ByteBuffer.allocate(HEADER + out.size());
    buffer.put(HEADER, out.toByteArray());
    return new HFileBlock(
        BlockType.DATA,
        out.size(),
        out.size(),
        -1,
        ByteBuff.wrap(new ByteBuffer[] {buffer}, RefCnt.create()),
        HFileBlock.FILL_HEADER,
        offset,
        -1,
        HEADER + out.size(),
        context(mvcc),
        ByteBuffAllocator.HEAP);
  }

  /** Copies a block to direct memory with its index behind it, like a cache. */
  static IndexedBlock indexed(HFileBlock block, ByteBuffer index) {
    int length = block.getBufferReadOnly().limit();
    int at = BlockIndexer.indexOffset(length);
    ByteBuffer memory = ByteBuffer.allocateDirect(at + index.remaining());
    memory.put(0, block.getBufferReadOnly().toBytes(0, length));
    memory.put(at, index, index.position(), index.remaining());
    return new IndexedBlock(
        BlockType.DATA,
        length - HEADER,
        length - HEADER,
        -1,
        memory,
        length,
        index.hasRemaining() ? at : AddressedBlock.NO_INDEX,
        RefCnt.create(),
        block.getOffset(),
        -1,
        length,
        block.getHFileContext(),
        ByteBuffAllocator.HEAP);
  }
}
