package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.memory.Memory;

/**
 * Builds the {@link RestartIndex} of a block by one walk over its cells. Not thread-safe; one
 * object serves many blocks.
 */
final class RestartIndexer {
  private final BlockInput in;
  private final BlockInput record;
  private final RestartIndex index = new RestartIndex();

  private DeltaCell first;
  private DeltaCell cell;
  private int format;

  RestartIndexer(CorruptionReporter corruption) {
    in = new BlockInput(corruption);
    record = new BlockInput(corruption);
  }

  /**
   * Walks over a block.
   *
   * @param memory its contents behind the encoding's id
   * @return bytes of the index; 0 if the block is too small for one
   */
  int walk(BlockMemory memory, CellFormat cells, DataBlockEncoding encoding) {
    in.open(Memory.of(memory.buffer()), memory.start(), memory.length());
    first = DeltaCell.of(encoding, cells);
    cell = DeltaCell.of(encoding, cells);
    format = RestartIndex.format(cells, encoding);
    index.clear();
    first.decodeFirst(in);
    cell.copy(first);
    while (cell.next < memory.length()) {
      int start = cell.next;
      cell.decode(cell, in);
      if (index.hasRoom(start)) {
        index.add(cell, first, start);
      }
    }
    return index.bytes();
  }

  /** Writes the index of the walked block. */
  void write(ByteBuffer to) {
    index.write(to, first, cell, format, record);
  }

  /** Drops the cells, and arrays that are longer than the given number of bytes. */
  void shrink(int most) {
    first = null;
    cell = null;
    in.close();
    record.close();
    index.shrink(most);
  }

  long keptBytes() {
    return index.keptBytes();
  }
}
