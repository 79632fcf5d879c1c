package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Test;

class BlockIndexerTest {
  /** A thread may index only one huge block in its life. */
  @Test
  void aHugeBlockLeavesNoHugeArraysBehind() {
    HFileBlock huge =
        CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300_000, 10), true, 0);
    HFileBlock usual =
        CellBlocks.block(CellBlocks.cells(new SplittableRandom(1), 300, 100), true, 0);
    BlockIndexer indexer = BlockIndexer.ofThread();
    ByteBuffer index = indexer.index(huge);
    assertThat(index.remaining()).isGreaterThan(BlockIndexer.MAX_KEPT);
    assertThat(indexer.keptBytes()).isLessThan(5L * BlockIndexer.MAX_KEPT);
    assertThat(indexer.index(usual).hasRemaining()).isTrue();
  }
}
