package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.junit.jupiter.api.Test;

class RootIndexTest {
  private static final long SEED = Long.getLong("index.seed", System.nanoTime());
  private static final CellComparator COMPARATOR = CellComparator.getInstance();

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void findsTheLastKeyThatIsLess() {
    for (int i = 0; i < 300; i++) {
      List<KeyValue> keys = CellBlocks.cells(random, random.nextInt(1, 100), 1);
      RootIndex index = RootIndex.of(COMPARATOR, keys.size(), keys::get);
      for (int k = 0; k < 100; k++) {
        Cell key =
            random.nextBoolean()
                ? CellBlocks.cells(random, 1, 1).get(0)
                : PrivateCellUtil.createFirstOnRow(keys.get(random.nextInt(keys.size())));
        SearchKey searched = new SearchKey();
        searched.set(key);
        assertThat(index.find(key, searched))
            .as("index.seed=%s, index %s, key %s", SEED, i, key)
            .isEqualTo(byWalking(keys, key));
      }
    }
  }

  private static int byWalking(List<KeyValue> keys, Cell key) {
    int less = 0;
    for (KeyValue first : keys) {
      int order = PrivateCellUtil.compareKeyIgnoresMvcc(COMPARATOR, key, first);
      if (order == 0) {
        return RootIndex.UNKNOWN;
      }
      less += order > 0 ? 1 : 0;
    }
    return less - 1;
  }

  @Test
  void learnsWhereBlocksAre() {
    List<KeyValue> keys = CellBlocks.cells(random, 3, 1);
    RootIndex index = RootIndex.of(COMPARATOR, keys.size(), keys::get);
    assertThat(index.offset(1)).isNegative();
    index.learn(1, 1L << 40);
    assertThat(index.offset(1)).isEqualTo(1L << 40);
    assertThat(index.nextKey(0)).isSameAs(keys.get(1));
    assertThat(index.nextKey(keys.size() - 1)).isSameAs(KeyValueScanner.NO_NEXT_INDEXED_KEY);
  }

  @Test
  void rowsInAnotherOrderHaveNone() {
    List<KeyValue> keys = CellBlocks.cells(random, 3, 1);
    assertThat(RootIndex.of(MetaCellComparator.META_COMPARATOR, keys.size(), keys::get)).isNull();
    assertThat(RootIndex.of(COMPARATOR, 0, keys::get)).isNull();
  }
}
