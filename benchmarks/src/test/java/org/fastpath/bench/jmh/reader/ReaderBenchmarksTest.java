package org.fastpath.bench.jmh.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both readers find the rows of the file, and each benchmark does its operation. */
class ReaderBenchmarksTest {
  private static <T extends ReaderBenchmark> T prepared(
      T benchmark, String reader, String encoding, int columns) throws IOException {
    benchmark.reader = reader;
    benchmark.encoding = encoding;
    benchmark.values = 100;
    benchmark.columns = columns;
    benchmark.keys = "ycsb";
    benchmark.megabytes = 1;
    benchmark.cacheRows();
    return benchmark;
  }

  @ParameterizedTest
  @EnumSource(RowFile.Keys.class)
  void keysAreSortedAndThoseBetweenThemAreAbsent(RowFile.Keys keys) {
    byte[][] present = keys.present(500);

    assertThat(List.of(present)).isSortedAccordingTo(Arrays::compare);
    for (int i = 0; i < 500; i++) {
      assertThat(Arrays.binarySearch(present, keys.absent(i), Arrays::compare)).isNegative();
    }
  }

  @Test
  void keysLookAsThoseOfTheLoadGenerators() {
    assertThat(RowFile.Keys.YCSB.text(0)).isEqualTo("user6284781860667377211");
    assertThat(RowFile.Keys.PE.text(17)).isEqualTo("00000000000000000000000017");
  }

  @ParameterizedTest
  @CsvSource({
    "stock,NONE,present",
    "ours,NONE,present",
    "ours,NONE,absent",
    "ours,FAST_DIFF,present"
  })
  void seeksTouchAValueOnAllWays(String reader, String encoding, String sought) throws IOException {
    SeekBenchmark benchmark = prepared(new SeekBenchmark(), reader, encoding, 2);
    benchmark.sought = sought;
    benchmark.drawRows();

    int values = 0;
    for (int i = 0; i < 100; i++) {
      values |= benchmark.seek() | benchmark.reseek();
    }

    assertThat(values).isNotZero();
    benchmark.dropRows();
  }

  @ParameterizedTest
  @CsvSource({"stock,1,all", "ours,1,named", "stock,3,named", "ours,3,named", "ours,3,all"})
  void aRegionAnswersRowsGetsAndShortScans(String reader, int columns, String selected)
      throws IOException {
    RegionBenchmark benchmark = new RegionBenchmark();
    benchmark.reader = reader;
    benchmark.columns = columns;
    benchmark.selected = selected;
    benchmark.cells = 3000;
    benchmark.open();
    long plainRows = ReaderMetrics.plainRows();
    long leanGets = ReaderMetrics.leanGets();
    int perRow = selected.equals("all") ? columns : 1;

    for (int i = 0; i < 31; i++) {
      assertThat(benchmark.nextRow()).isBetween(99 * perRow, 100 * perRow);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(benchmark.get()).isEqualTo(perRow);
      assertThat(benchmark.shortScan()).isBetween(perRow, 10 * perRow);
    }
    benchmark.close();
    assertThat(ReaderMetrics.leanGets() > leanGets).isEqualTo(reader.equals("ours"));
    assertThat(ReaderMetrics.plainRows() > plainRows).isEqualTo(reader.equals("ours"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stock", "ours"})
  void aFileIsCachedAndReadFromTheCache(String variant) throws IOException {
    RowFile.Shape shape =
        new RowFile.Shape(RowFile.Keys.PE, 3, 1000, DataBlockEncoding.NONE, 2L << 20);
    try (CachedRows rows = new CachedRows(shape, variant)) {
      HFileScanner scanner = rows.scanner();

      assertThat(scanner.seekTo()).isTrue();
      assertThat(CellUtil.cloneRow(scanner.getCell())).isEqualTo(rows.rows()[0]);
      assertThat(scanner.getClass().getSimpleName().startsWith("OffHeap"))
          .isEqualTo(variant.equals("ours"));
      scanner.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"none,heap", "built,heap", "built,pooled"})
  void blocksAreCachedWithAnIndexOrWithout(String index, String memory) throws IOException {
    BuildIndexBenchmark benchmark = new BuildIndexBenchmark();
    benchmark.index = index;
    benchmark.encoding = "NONE";
    benchmark.values = 100;
    benchmark.columns = 1;
    benchmark.memory = memory;
    benchmark.setUp();

    long blockBytes = 0;
    long indexBytes = 0;
    for (HFileBlock block : benchmark.blocks) {
      benchmark.cache();
      blockBytes += block.getSerializedLength();
      indexBytes += BlockIndexer.ofThread().index(block).remaining();
    }

    assertThat(blockBytes / benchmark.blocks.size()).isBetween(60_000L, 70_000L);
    assertThat((double) indexBytes / blockBytes).isBetween(0.02, 0.035);
    benchmark.tearDown();
  }

  @Test
  void whatIsUnknownIsRefused() {
    RowFile.Shape shape =
        new RowFile.Shape(RowFile.Keys.PE, 1, 100, DataBlockEncoding.NONE, 1L << 20);
    assertThatThrownBy(() -> new CachedRows(shape, "theirs"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("theirs");
    assertThatThrownBy(() -> RowFile.Keys.of("abc")).isInstanceOf(IllegalArgumentException.class);
  }
}
