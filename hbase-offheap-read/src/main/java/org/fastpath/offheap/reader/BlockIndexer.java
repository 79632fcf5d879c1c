package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.fastpath.offheap.memory.Memory;

/**
 * Builds the {@link BlockIndex} of a block before it is cached, in one walk over its cells.
 *
 * <p>A block gets no index if it is too small or if its encoding has row offsets. It gets none
 * either if its cells are not ordered by the rows' bytes. An invalid data block gets none either;
 * its reader will report the error.
 *
 * <p>Not thread-safe. {@link #ofThread} returns the calling thread's own indexer, which reuses its
 * memory.
 */
public final class BlockIndexer {
  /** With fewer cells, a walk is as fast as a search. */
  private static final int MIN_CELLS = 3;

  /** A block in several parts is copied into one piece for the walk, up to this size in bytes. */
  private static final int MAX_COPIED = 1 << 20;

  /** The most bytes that each array of an indexer keeps for the next block. */
  static final int MAX_KEPT = 256 << 10;

  /** The position of the field in a block's header: see HFileBlock.Header. */
  private static final int UNCOMPRESSED_SIZE = 12;

  private static final int MIN_PLACES = 1024;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private static final ThreadLocal<BlockIndexer> OF_THREAD =
      ThreadLocal.withInitial(BlockIndexer::new);

  private final RestartIndexer restarts = new RestartIndexer(BlockIndexer::corrupt);
  private int[] places = new int[MIN_PLACES];
  private ByteBuffer contents = NOTHING;
  private ByteBuffer index = ByteBuffer.allocate(0);

  private BlockIndexer() {}

  /** Returns the position of an index behind a block of the given size in bytes. */
  public static int indexOffset(int blockBytes) {
    return (blockBytes + Long.BYTES - 1) & -Long.BYTES;
  }

  public static BlockIndexer ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Builds the index of a block.
   *
   * @return its bytes, valid until the next call; empty if the block has none
   */
  public ByteBuffer index(HFileBlock block) {
    try {
      return make(block);
    } finally {
      shrink();
    }
  }

  /**
   * Drops the arrays that a large block needed, because the thread may never see another large one.
   */
  private void shrink() {
    places = places.length > MAX_KEPT / Integer.BYTES ? new int[MIN_PLACES] : places;
    contents = contents.capacity() > MAX_KEPT ? NOTHING : contents;
    index = index.capacity() > MAX_KEPT ? ByteBuffer.allocate(0) : index;
    restarts.shrink(MAX_KEPT);
  }

  /** Returns the bytes that it keeps between two blocks. */
  long keptBytes() {
    return (long) places.length * Integer.BYTES
        + contents.capacity()
        + index.capacity()
        + restarts.keptBytes();
  }

  private ByteBuffer make(HFileBlock block) {
    index.clear().limit(0);
    HFileContext context = block.getHFileContext();
    if (block.getBlockType().isData() && isOrderedByBytes(context)) {
      BlockMemory memory = memory(block);
      if (memory != null && memory.length() == uncompressedSize(memory)) {
        try {
          write(memory, context, block.getBlockType() == BlockType.ENCODED_DATA);
        } catch (IllegalStateException | IllegalArgumentException e) {
          // A reader of the block will find the error and can report the position.
          index.clear().limit(0);
        }
      }
    }
    return index;
  }

  /** Returns the size that the header gives; readers compute the position of the index from it. */
  private static int uncompressedSize(BlockMemory memory) {
    return memory.buffer().getInt(UNCOMPRESSED_SIZE);
  }

  private static boolean isOrderedByBytes(HFileContext context) {
    CellComparator comparator = context.getCellComparator();
    return comparator != null && SearchKey.comparesRowsAsBytes(comparator);
  }

  private BlockMemory memory(HFileBlock block) {
    BlockMemory memory = BlockMemory.of(block);
    ByteBuff whole = block.getBufferReadOnly();
    if (memory != null || whole.limit() > MAX_COPIED) {
      return memory;
    }
    if (contents.capacity() < whole.limit()) {
      contents = ByteBuffer.allocate(Integer.highestOneBit(whole.limit()) << 1);
    }
    whole.get(contents.clear(), 0, whole.limit());
    int header = block.headerSize();
    return new BlockMemory(contents, header, whole.limit() - header);
  }

  private void write(BlockMemory memory, HFileContext context, boolean encoded) {
    if (encoded) {
      restarts(memory, context);
    } else {
      plain(memory, CellFormat.of(context));
    }
  }

  private void restarts(BlockMemory memory, HFileContext context) {
    DataBlockEncoding encoding = memory.encoding();
    if (DeltaCell.isDelta(encoding) && !hasTagsDictionary(context)) {
      int bytes = restarts.walk(memory.encoded(), CellFormat.of(context), encoding);
      if (bytes > 0) {
        prepare(bytes);
        restarts.write(index);
        index.flip();
      }
    }
  }

  /** With a dictionary, tags can only be read after all earlier tags of the block. */
  private static boolean hasTagsDictionary(HFileContext context) {
    return context.isIncludesTags() && context.isCompressTags();
  }

  private void plain(BlockMemory memory, CellFormat format) {
    Memory bytes = Memory.of(memory.buffer());
    int start = memory.start();
    int cells = walk(bytes, start, memory.length(), new PlainCell(format, BlockIndexer::corrupt));
    if (cells >= MIN_CELLS) {
      sample(bytes, start, memory.length(), cells, format);
    }
  }

  private static IllegalStateException corrupt(String what, long value, long position) {
    return new IllegalStateException(what);
  }

  private int walk(Memory memory, long address, int length, PlainCell cell) {
    int cells = 0;
    for (int at = 0; at < length; at += cell.size) {
      cell.decode(memory, address, at, length);
      if (cells == places.length) {
        places = Arrays.copyOf(places, 2 * cells);
      }
      places[cells++] = at;
    }
    return cells;
  }

  private void sample(Memory memory, long address, int length, int cells, CellFormat format) {
    int most = Math.max(1, length / BlockIndex.SHARE / BlockIndex.ENTRY);
    int step = (cells + most - 1) / most;
    int entries = (cells + step - 1) / step;
    int shared = sharedByRows(memory, address, address + places[cells - 1]);
    prepare(BlockIndex.bytes(entries));
    int each = step == 1 ? BlockIndex.EACH_CELL : 0;
    BlockIndex.putHeader(
        index, entries, format.code() | each, shared, memory, PlainCell.row(address));
    for (int i = 0; i < cells; i += step) {
      long at = address + places[i];
      index.putLong(memory.prefix(PlainCell.row(at) + shared, rowLength(memory, at) - shared));
    }
    for (int i = 0; i < cells; i += step) {
      index.putInt(places[i]);
    }
    index.flip();
  }

  private void prepare(int bytes) {
    if (index.capacity() < bytes) {
      index = ByteBuffer.allocate(2 * bytes).order(ByteOrder.nativeOrder());
    }
    index.clear().limit(bytes);
  }

  private static int sharedByRows(Memory memory, long first, long last) {
    int shortest = Math.min(rowLength(memory, first), rowLength(memory, last));
    return Memory.mismatch(memory, PlainCell.row(first), memory, PlainCell.row(last), shortest);
  }

  private static int rowLength(Memory memory, long cell) {
    return memory.bigEndianShort(cell + PlainCell.LENGTHS);
  }
}
