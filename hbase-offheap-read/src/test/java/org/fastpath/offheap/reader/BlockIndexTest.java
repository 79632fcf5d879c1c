package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockIndexTest {
  private static final long SEED = Long.getLong("index.seed", System.nanoTime());
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final CellFormat WITH_MVCC = new CellFormat(false, true, false);

  private final SplittableRandom random = new SplittableRandom(SEED);

  private static PlainBlockCursor cursor(CellFormat format, HFileBlock block) {
    PlainBlockCursor cursor =
        new PlainBlockCursor(new Path("/f"), format, CellComparator.getInstance());
    assertThat(cursor.open(block)).isTrue();
    return cursor;
  }

  private static ByteBuffer index(HFileBlock block) {
    return BlockIndexer.ofThread().index(block);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 100, 1000, 10_000})
  void hasAtMostA32ndOfTheBlock(int valueBytes) {
    List<KeyValue> cells = CellBlocks.cells(random, 65536 / (valueBytes + 40), 2 * valueBytes);
    HFileBlock block = CellBlocks.block(cells, true, 0);
    int bytes = index(block).remaining();
    assertThat(bytes)
        .as("index.seed=%s", SEED)
        .isPositive()
        .isLessThanOrEqualTo(
            block.getUncompressedSizeWithoutHeader() / BlockIndex.SHARE + BlockIndex.HEADER);
  }

  @Test
  void seeksEndWhereTheyDoWithoutIndex() {
    for (int i = 0; i < 200; i++) {
      List<KeyValue> cells =
          CellBlocks.cells(random, random.nextInt(1, 300), random.nextInt(1, i < 150 ? 200 : 2000));
      HFileBlock block = CellBlocks.block(cells, true, 0);
      PlainBlockCursor walking = cursor(WITH_MVCC, block);
      PlainBlockCursor searching = cursor(WITH_MVCC, CellBlocks.indexed(block, index(block)));
      for (int k = 0; k < 50; k++) {
        Cell key = key(cells);
        boolean before =
            random.nextBoolean() && CellComparator.getInstance().compare(key, cells.get(0)) > 0;
        if (CellComparator.getInstance().compare(key, walking.cell()) < 0 || before) {
          walking.rewind();
          searching.rewind();
        }
        assertThat(searching.seek(key, before))
            .as("index.seed=%s, block %s, key %s, before %s", SEED, i, key, before)
            .isEqualTo(walking.seek(key, before));
        if (random.nextBoolean()) {
          assertThat(searching.cell()).isEqualTo(walking.cell());
          assertThat(searching.key()).isEqualTo(walking.key());
          assertThat(searching.value()).isEqualTo(walking.value());
        }
        assertThat(searching.next()).isEqualTo(walking.next());
        assertThat(searching.cell()).isEqualTo(walking.cell());
      }
    }
  }

  private Cell key(List<KeyValue> cells) {
    Cell cell = cells.get(random.nextInt(cells.size()));
    return switch (random.nextInt(5)) {
      case 0 -> cell;
      case 1 -> PrivateCellUtil.createFirstOnRow(cell);
      case 2 -> PrivateCellUtil.createLastOnRow(cell);
      case 3 -> PrivateCellUtil.createFirstOnRowCol(cell);
      default -> CellBlocks.cells(random, 1, 1).get(0);
    };
  }

  @Test
  void aRowIsFoundWithoutALookAtTheCellBeforeIt() {
    List<KeyValue> large = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      large.add(new KeyValue(Bytes.toBytes(1000 + i), FAMILY, FAMILY, 1, new byte[1000]));
    }
    HFileBlock block = CellBlocks.block(large, true, 0);
    ByteBuffer index = index(block);
    ByteBuffer bytes = block.getBufferReadOnly().nioByteBuffers()[0];
    int cellBytes = large.get(0).getLength() + 1;
    bytes.putInt(block.headerSize() + 20 * cellBytes, -1);
    PlainBlockCursor cursor = cursor(WITH_MVCC, CellBlocks.indexed(block, index));
    assertThat(cursor.seek(PrivateCellUtil.createFirstOnRow(large.get(21)), false)).isOne();
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.cell()).isEqualTo(large.get(21));
    cursor.rewind();
    assertThat(cursor.seek(PrivateCellUtil.createFirstOnRow(large.get(21)), false)).isOne();
    assertThatThrownBy(cursor::cell).hasMessageContaining("Invalid key length -1");
  }

  @Test
  void anIndexOfOtherCellsIsNotUsed() {
    List<KeyValue> cells = CellBlocks.cells(random, 300, 20);
    HFileBlock block = CellBlocks.block(cells, false, 0);
    ByteBuffer lying = index(CellBlocks.block(cells, true, 0));
    PlainBlockCursor cursor =
        cursor(new CellFormat(false, false, false), CellBlocks.indexed(block, lying));
    for (KeyValue cell : cells) {
      cursor.rewind();
      assertThat(cursor.seek(cell, false)).as("index.seed=%s, key %s", SEED, cell).isZero();
    }
  }

  @Test
  void whatIsNoBlockOfCellsHasNone() {
    HFileBlock block = CellBlocks.block(CellBlocks.cells(random, 300, 20), false, 0);
    ByteBuffer bytes = block.getBufferReadOnly().nioByteBuffers()[0];
    bytes.putInt(block.headerSize() + 20, -1);
    bytes.putInt(block.headerSize(), Integer.MAX_VALUE);
    assertThat(index(block).hasRemaining()).isFalse();
    assertThat(index(CellBlocks.block(CellBlocks.cells(random, 1, 20).subList(0, 1), false, 0)))
        .matches(index -> !index.hasRemaining());
  }
}
