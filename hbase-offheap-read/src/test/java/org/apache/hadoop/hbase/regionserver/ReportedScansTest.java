package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.BloomFilterUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Repeats scans that users of HBase reported as wrong. It compares with HBase's own region: cells,
 * calls and exceptions are the same. {@code docs/design/cases.md} lists the reports.
 */
class ReportedScansTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final byte[] OTHER = Bytes.toBytes("g");
  private static final int ROWS = 40;
  private static final int QUALIFIERS = 4;
  private static final int LATE_CALLS = 20;
  private static final int FLUSHES = Boolean.getBoolean("nightly") ? 100 : 12;

  /**
   * The number of filters for reversed scans. A fuzzy filter never returns in a reversed scan
   * (HBASE-30226).
   */
  private static final int BACKWARDS = 4;

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(2026);

  private static ColumnFamilyDescriptorBuilder family(byte[] name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(name).setMaxVersions(3).setBlocksize(1024);
  }

  private static TableDescriptor twoFamilies() {
    return LocalRegions.table("t", family(FAMILY).build())
        .setColumnFamily(family(OTHER).setDataBlockEncoding(DataBlockEncoding.FAST_DIFF).build())
        .build();
  }

  private static byte[] qualifier(int number) {
    return Bytes.toBytes(String.format("q%03d", number));
  }

  private byte[] value(int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return value;
  }

  /** Writes puts and deletes of all kinds, and flushes some of them. */
  private void fill(RegionTwins twins, int mutations, byte[]... families) throws IOException {
    for (int i = 1; i <= mutations; i++) {
      mutate(twins, families[random.nextInt(families.length)], i);
      if (random.nextInt(mutations / 3) == 0) {
        twins.both(region -> region.flush(true));
      }
    }
  }

  private void mutate(RegionTwins twins, byte[] family, long time) throws IOException {
    byte[] row = LocalRegions.row(random.nextInt(ROWS));
    byte[] qualifier = qualifier(random.nextInt(QUALIFIERS));
    byte[] value = value(random.nextInt(100));
    int kind = random.nextInt(12);
    twins.both(
        region -> {
          switch (kind) {
            case 0 -> region.delete(new Delete(row).addFamily(family, time));
            case 1 -> region.delete(new Delete(row).addColumns(family, qualifier, time));
            case 2 -> region.delete(new Delete(row).addColumn(family, qualifier, time - 1));
            default -> region.put(new Put(row, time).addColumn(family, qualifier, value));
          }
        });
  }

  /** A filter that runs an action at one of its calls, and includes every cell. */
  private static final class At extends FilterBase {
    private final RegionTwins.Work work;
    private final HRegion region;
    private int left;

    At(HRegion region, int call, RegionTwins.Work work) {
      this.region = region;
      this.work = work;
      left = call;
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
      if (left-- == 0) {
        work.on(region);
      }
      return ReturnCode.INCLUDE;
    }
  }

  /** HBASE-29254: the top of a store's scanner changes while a filter reads a cell. */
  @Test
  void aFlushInsideAFilterLosesNoCell() throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(twoFamilies());
      for (int round = 0; round < FLUSHES; round++) {
        fill(twins, 60, FAMILY, OTHER);
        if (round % 8 == 7) {
          twins.both(region -> region.compact(true));
        }
        int call = random.nextInt(120);
        int batch = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : -1;
        boolean onDemand = random.nextBoolean();
        boolean reversed = random.nextInt(4) == 0;
        List<List<String>> answers = new ArrayList<>();
        twins.both(
            region -> {
              Scan scan =
                  new Scan()
                      .setFilter(new At(region, call, flushed -> flushed.flush(true)))
                      .setBatch(batch)
                      .setLoadColumnFamiliesOnDemand(onDemand)
                      .setReversed(reversed);
              answers.add(RegionAnswers.scan(region, scan));
            });
        assertThat(answers.get(1)).as("round " + round).isEqualTo(answers.get(0));
      }
      assertThat(twins.heldByOurs()).isEmpty();
    }
  }

  /** Records the calls of a filter, and ends the scan after too many of them. */
  private static final class Recorded extends FilterBase {
    private static final int MOST = 3000;

    private final Filter filter;
    private final List<String> calls;

    Recorded(Filter filter, List<String> calls) {
      this.filter = filter;
      this.calls = calls;
    }

    private <T> T called(String call, T result) throws IOException {
      calls.add(call + " " + (result instanceof Cell cell ? RegionAnswers.text(cell) : result));
      if (calls.size() > MOST) {
        throw new IOException("a scan that does not end");
      }
      return result;
    }

    @Override
    public void reset() throws IOException {
      filter.reset();
    }

    @Override
    public boolean filterRowKey(Cell cell) throws IOException {
      return called("row " + RegionAnswers.text(cell), filter.filterRowKey(cell));
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
      return called("cell " + RegionAnswers.text(cell), filter.filterCell(cell));
    }

    @Override
    public Cell getNextCellHint(Cell cell) throws IOException {
      return called("hint", filter.getNextCellHint(cell));
    }

    @Override
    public boolean filterAllRemaining() throws IOException {
      return filter.filterAllRemaining();
    }

    @Override
    public boolean hasFilterRow() {
      return filter.hasFilterRow();
    }

    @Override
    public boolean filterRow() throws IOException {
      return filter.filterRow();
    }

    @Override
    public void setReversed(boolean reversed) {
      super.setReversed(reversed);
      filter.setReversed(reversed);
    }
  }

  /**
   * HBASE-28634, HBASE-28622, HBASE-30226 and HBASE-30256: filters return hints for the next cell.
   */
  @Test
  void filtersWithHintsAreCalledForTheSameCells() throws IOException {
    List<Supplier<Filter>> filters =
        List.of(
            () -> ranges(range(3, true, 5, false), range(9, false, 12, true), range(30, true, 31)),
            () -> columns(FilterList.Operator.MUST_PASS_ALL),
            () -> columns(FilterList.Operator.MUST_PASS_ONE),
            () ->
                new FilterList(
                    ranges(range(2, true, 20, true)), new ColumnPaginationFilter(5, qualifier(7))),
            ReportedScansTest::fuzzy,
            () ->
                new FilterList(
                    FilterList.Operator.MUST_PASS_ONE,
                    fuzzy(),
                    columns(FilterList.Operator.MUST_PASS_ALL)));
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(
          LocalRegions.table(
                  "wide", family(FAMILY).setDataBlockEncoding(DataBlockEncoding.FAST_DIFF).build())
              .build());
      wideRows(twins);
      for (int i = 0; i < filters.size(); i++) {
        compareCalls(twins, filters.get(i), false, "filter " + i);
        if (i < BACKWARDS) {
          compareCalls(twins, filters.get(i), true, "backwards, filter " + i);
        }
      }
      assertThat(twins.heldByOurs()).isEmpty();
    }
  }

  private static void compareCalls(
      RegionTwins twins, Supplier<Filter> filter, boolean reversed, String what)
      throws IOException {
    List<List<String>> answers = new ArrayList<>();
    twins.both(
        region -> {
          List<String> calls = new ArrayList<>();
          Scan scan = new Scan().setReversed(reversed).setFilter(new Recorded(filter.get(), calls));
          calls.addAll(RegionAnswers.scan(region, scan));
          answers.add(calls);
        });
    assertThat(answers.get(1)).as(what).isEqualTo(answers.get(0));
  }

  private void wideRows(RegionTwins twins) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      byte[] key = LocalRegions.row(row);
      Put put = new Put(key, 1);
      for (int column = 0; column < (row % 10 == 4 ? 400 : 9); column++) {
        put.addColumn(FAMILY, qualifier(column), value(20));
      }
      twins.both(region -> region.put(put));
      if (row % 13 == 12) {
        twins.both(region -> region.flush(true));
      }
    }
  }

  private static MultiRowRangeFilter ranges(MultiRowRangeFilter.RowRange... ranges) {
    return new MultiRowRangeFilter(new ArrayList<>(List.of(ranges)));
  }

  private static MultiRowRangeFilter.RowRange range(int from, boolean inclusive, int to) {
    return range(from, inclusive, to, inclusive);
  }

  private static MultiRowRangeFilter.RowRange range(
      int from, boolean inclusive, int to, boolean inclusiveStop) {
    return new MultiRowRangeFilter.RowRange(
        LocalRegions.row(from), inclusive, LocalRegions.row(to), inclusiveStop);
  }

  private static FilterList columns(FilterList.Operator operator) {
    return new FilterList(
        operator,
        new ColumnRangeFilter(qualifier(3), true, qualifier(300), false),
        new ColumnPaginationFilter(4, 1));
  }

  private static FuzzyRowFilter fuzzy() {
    byte[] row = LocalRegions.row(14);
    byte[] mask = new byte[row.length];
    mask[row.length - 2] = 1;
    return new FuzzyRowFilter(List.of(new Pair<>(row, mask)));
  }

  /** HBASE-30226: HBase's scan does not advance, but it checks the time. */
  @Test
  void aReverseFuzzyScanThatStandsStillInHBaseTooEndsEachCallInTime() throws IOException {
    try (RegionTwins twins =
        new RegionTwins(
            directory,
            conf -> conf.setInt(StoreScanner.HBASE_CELLS_SCANNED_PER_HEARTBEAT_CHECK, 1))) {
      twins.create(LocalRegions.table("fuzzy", family(FAMILY).build()).build());
      fill(twins, 200, FAMILY);
      List<List<String>> answers = new ArrayList<>();
      twins.both(region -> answers.add(callsThatAreLate(region)));
      assertThat(answers.get(1)).isEqualTo(answers.get(0)).hasSize(LATE_CALLS);
    }
  }

  /** Returns the results of calls whose time is over when they begin. */
  private static List<String> callsThatAreLate(HRegion region) throws IOException {
    List<String> answers = new ArrayList<>();
    Scan scan = new Scan().setReversed(true).setFilter(fuzzy());
    try (RegionScanner scanner = region.getScanner(scan)) {
      for (int i = 0; i < LATE_CALLS; i++) {
        ScannerContext limits =
            ScannerContext.newBuilder()
                .setTimeLimit(ScannerContext.LimitScope.BETWEEN_CELLS, 1)
                .build();
        List<Cell> cells = new ArrayList<>();
        boolean more = scanner.next(cells, limits);
        answers.add(cells.size() + " " + more + " " + limits.scannerState);
      }
    }
    return answers;
  }

  /** HBASE-22835: after a Bloom filter's answer, artificial keys replace cells of the file. */
  @ParameterizedTest
  @EnumSource
  void bloomFiltersOfColumnsLeaveTheOrderOfCells(DataBlockEncoding encoding) throws IOException {
    for (BloomType bloom : List.of(BloomType.ROWCOL, BloomType.ROWPREFIX_FIXED_LENGTH)) {
      try (RegionTwins twins = new RegionTwins(directory.resolve(bloom.name()), conf -> {})) {
        ColumnFamilyDescriptor family =
            family(FAMILY)
                .setBloomFilterType(bloom)
                .setDataBlockEncoding(encoding)
                .setConfiguration(BloomFilterUtil.PREFIX_LENGTH_KEY, "8")
                .build();
        twins.create(LocalRegions.table("bloom", family).build());
        fill(twins, 400, FAMILY);
        twins.both(region -> region.flush(true));
        for (int i = 0; i < 40; i++) {
          compareColumns(twins);
        }
        assertThat(twins.heldByOurs()).isEmpty();
      }
    }
  }

  private void compareColumns(RegionTwins twins) throws IOException {
    byte[] first = qualifier(random.nextInt(QUALIFIERS));
    byte[] second = qualifier(random.nextInt(QUALIFIERS + 1));
    byte[] row = LocalRegions.row(random.nextInt(ROWS));
    byte[] value = value(1);
    boolean filtered = random.nextBoolean();
    int versions = 1 + random.nextInt(3);
    List<List<String>> answers = new ArrayList<>();
    twins.both(
        region -> {
          Scan scan =
              new Scan()
                  .withStartRow(row)
                  .readVersions(versions)
                  .addColumn(FAMILY, first)
                  .addColumn(FAMILY, second);
          if (filtered) {
            scan.setFilter(
                new SingleColumnValueFilter(FAMILY, first, CompareOperator.GREATER, value));
          }
          List<String> all = RegionAnswers.scan(region, scan);
          all.addAll(
              RegionAnswers.get(
                  region,
                  new Get(row)
                      .readVersions(versions)
                      .addColumn(FAMILY, first)
                      .addColumn(FAMILY, second)));
          answers.add(all);
        });
    assertThat(answers.get(1)).isEqualTo(answers.get(0));
  }

  /**
   * HBASE-26384 and HBASE-27464: segments are flattened, merged or copied under a scan. HBase's own
   * scan may fail during the flush. Then only the scan after it is compared, and the test ends.
   */
  @ParameterizedTest
  @EnumSource(names = {"BASIC", "EAGER", "ADAPTIVE"})
  void inMemoryCompactionLosesNoCell(MemoryCompactionPolicy policy) throws IOException {
    ChunkCreator.initialize(
        MemStoreLAB.CHUNK_SIZE_DEFAULT,
        false,
        0,
        0,
        0,
        null,
        MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
    try (RegionTwins twins =
        new RegionTwins(
            directory,
            conf -> {
              conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, true);
              conf.setDouble(CompactingMemStore.IN_MEMORY_FLUSH_THRESHOLD_FACTOR_KEY, 0.001);
            })) {
      twins.create(
          LocalRegions.table("memory", family(FAMILY).setInMemoryCompaction(policy).build())
              .build());
      for (int round = 0; round < 5; round++) {
        largeAndSmall(twins);
        int call = random.nextInt(60);
        List<List<String>> answers = new ArrayList<>();
        twins.both(
            region -> {
              Scan scan =
                  new Scan()
                      .readVersions(2)
                      .setFilter(new At(region, call, flushed -> flushed.flush(true)));
              answers.add(RegionAnswers.scan(region, scan));
              answers.add(RegionAnswers.scan(region, new Scan()));
            });
        assertThat(answers.get(3)).isEqualTo(answers.get(1));
        if (RegionAnswers.hasFailed(answers.get(0))) {
          // The two regions may have flushed different cells.
          break;
        }
        assertThat(answers.get(2)).isEqualTo(answers.get(0));
      }
      assertThat(twins.heldByOurs()).isEmpty();
    }
  }

  private void largeAndSmall(RegionTwins twins) throws IOException {
    for (int i = 0; i < 60; i++) {
      byte[] row = LocalRegions.row(random.nextInt(ROWS));
      byte[] value = value(random.nextInt(15) == 0 ? 300_000 : 100 + random.nextInt(900));
      byte[] qualifier = qualifier(random.nextInt(QUALIFIERS));
      long time = 1 + random.nextInt(1000);
      twins.both(region -> region.put(new Put(row, time).addColumn(FAMILY, qualifier, value)));
    }
  }
}
