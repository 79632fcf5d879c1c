package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both halves of a file give HBase's results for any sequence of operations. {@code -Dseed=…}
 * repeats a failed seed.
 */
class HalfFileScannerTest {
  private static final int ROWS = 500;
  private static final int SPLIT = 200;
  private static final int SCANNERS = 30;
  private static final int STEPS = 200;

  @TempDir Path directory;

  private final long seed =
      Long.getLong("seed", ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));

  @ParameterizedTest
  @EnumSource(
      value = DataBlockEncoding.class,
      names = {"NONE", "FAST_DIFF"})
  void answersAsHBasesOwn(DataBlockEncoding encoding) throws IOException {
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    var family =
        ColumnFamilyDescriptorBuilder.newBuilder(LocalRegions.FAMILY)
            .setBlocksize(512)
            .setDataBlockEncoding(encoding)
            .build();
    try (LocalRegions regions = new LocalRegions(directory)) {
      HRegion parent = regions.createWithRows(LocalRegions.table("t", family).build(), ROWS);
      for (HRegion half : regions.split(parent, LocalRegions.row(SPLIT))) {
        StoreFileReader ours = LocalRegions.files(half).get(0).getReader();
        StoreFileReader stock = regions.stockReader(half);
        assertThat(ours).isInstanceOf(OffHeapHalfStoreFileReader.class);
        assertThat(stock).isExactlyInstanceOf(HalfStoreFileReader.class);
        assertThat(ours.getFirstKey()).isEqualTo(stock.getFirstKey());
        assertThat(ours.getLastKey()).isEqualTo(stock.getLastKey());
        for (int i = 0; i < SCANNERS; i++) {
          compare(random, ours, stock);
        }
        stock.close(false);
      }
    }
  }

  private void compare(SplittableRandom random, StoreFileReader ours, StoreFileReader stock)
      throws IOException {
    try (Pair pair =
        new Pair(ours.getScanner(true, true, false), stock.getScanner(true, true, false))) {
      for (int step = 0; step < STEPS; step++) {
        pair.step(random);
      }
    }
  }

  /** Two scanners that get the same operations. */
  private static final class Pair implements AutoCloseable {
    private final HFileScanner ours;
    private final HFileScanner stock;

    Pair(HFileScanner ours, HFileScanner stock) {
      this.ours = ours;
      this.stock = stock;
    }

    void step(SplittableRandom random) throws IOException {
      int row = random.nextInt(-1, ROWS + 1);
      Cell at = stock.isSeeked() ? stock.getCell() : null;
      switch (random.nextInt(at == null ? 3 : 8)) {
        case 0 -> both(scanner -> scanner.seekTo(key(row)));
        case 1 -> both(scanner -> scanner.seekBefore(key(row)));
        case 2 -> {
          // HBase's scanner fails on a bottom half after it has reached the end.
          if (at != null || !stock.isSeeked()) {
            both(scanner -> scanner.seekTo());
          }
        }
        case 3 -> {
          Cell ahead = key(rowOf(at) + random.nextInt(1, 20));
          both(scanner -> scanner.reseekTo(ahead));
        }
        default -> both(HFileScanner::next);
      }
    }

    private static int rowOf(Cell cell) {
      return Integer.parseInt(Bytes.toString(CellUtil.cloneRow(cell)).substring(4));
    }

    private static Cell key(int row) {
      return PrivateCellUtil.createFirstOnRow(LocalRegions.row(row));
    }

    private void both(Question question) {
      Object expected = answer(question, stock);
      assertThat(answer(question, ours)).isEqualTo(expected);
      assertThat(ours.isSeeked()).isEqualTo(stock.isSeeked());
      if (!stock.isSeeked()) {
        return;
      }
      if (stock.getCell() == null) {
        assertThat(ours.getCell()).isNull();
        assertThat(ours.getKey()).isNull();
        assertThat(ours.getValue()).isNull();
        return;
      }
      assertThat(CellComparator.getInstance().compare(ours.getCell(), stock.getCell())).isZero();
      assertThat(CellUtil.cloneValue(ours.getCell()))
          .isEqualTo(CellUtil.cloneValue(stock.getCell()));
      assertThat(Objects.toString(ours.getKey())).isEqualTo(Objects.toString(stock.getKey()));
      assertThat(ours.getValue()).isEqualTo(stock.getValue());
    }

    private static Object answer(Question question, HFileScanner scanner) {
      try {
        return question.ask(scanner);
      } catch (IOException e) {
        return IOException.class;
      }
    }

    @Override
    public void close() {
      ours.close();
      stock.close();
    }
  }

  private interface Question {
    Object ask(HFileScanner scanner) throws IOException;
  }
}
