package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Tests the rows of the story's workload. */
class YcsbRowsTest {
  private static final int ROWS = 6000;

  @Test
  void aRowHasFiveFieldsOf200Bytes() {
    Put put = YcsbRows.put(1, new SplittableRandom(1));
    List<Cell> cells = put.getFamilyCellMap().get(YcsbRows.FAMILY);
    assertThat(cells).hasSize(5).allMatch(cell -> cell.getValueLength() == 200);
    assertThat(YcsbRows.put(1, new SplittableRandom(2)).getRow()).isEqualTo(put.getRow());
  }

  @Test
  void rowsAreDifferentAndEvenlySpreadOverRegions() {
    TreeMap<byte[], Integer> counts = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    counts.put(new byte[0], 0);
    for (byte[] split : YcsbRows.splits(TierScale.REGIONS)) {
      counts.put(split, 0);
    }
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> keys =
        LongStream.range(0, ROWS).mapToObj(row -> YcsbRows.put(row, random).getRow()).toList();
    keys.forEach(key -> counts.merge(counts.floorKey(key), 1, Integer::sum));

    assertThat(keys.stream().map(Bytes::toString).distinct()).hasSize(ROWS);
    assertThat(counts).hasSize(TierScale.REGIONS);
    assertThat(counts.values()).allMatch(count -> Math.abs(count - 1000) < 150);
  }
}
