package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tells which rows are read at once. HBase's scanner counts each cell that it reads itself. {@link
 * LeanScansTest} compares the results.
 */
class PlainRowsTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final int ROWS = 100;
  private static final int COLUMNS = 5;
  private static final int CELLS = ROWS * COLUMNS;

  /** The last row of a block is HBase's, because its end is not known. */
  private static final int LAST_ROW = COLUMNS;

  @TempDir Path directory;
  private RegionTwins twins;
  private int blockBytes = 64 << 10;

  @BeforeEach
  void start() throws IOException {
    twins = new RegionTwins(directory, conf -> {});
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(twins.heldByOurs()).isEmpty();
    twins.close();
  }

  private static byte[] column(int number) {
    return Bytes.toBytes("q" + number);
  }

  /** Puts the row at a time. Both regions must have the same one. */
  private static Put put(int row, long time) {
    Put put = new Put(LocalRegions.row(row), time);
    for (int column = 0; column < COLUMNS; column++) {
      put.addColumn(FAMILY, column(column), new byte[20]);
    }
    return put;
  }

  private void create(DataBlockEncoding encoding) throws IOException {
    twins.create(
        LocalRegions.table(
                "plain",
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setMaxVersions(3)
                    .setDataBlockEncoding(encoding)
                    .setBlocksize(blockBytes)
                    .build())
            .build());
    twins.both(
        region -> {
          for (int row = 0; row < ROWS; row++) {
            region.put(put(row, 1));
          }
        });
  }

  private void flush() throws IOException {
    twins.both(region -> region.flush(true));
  }

  /** Returns the cells that HBase's scanner looked at, if both regions answer alike. */
  private long cellsOfHBase(Scan scan) throws IOException {
    List<String> expected = new ArrayList<>();
    read(twins.stock(), scan, expected);
    List<String> actual = new ArrayList<>();
    long looked = read(twins.ours(), scan, actual);
    assertThat(actual).isEqualTo(expected);
    return looked;
  }

  private static long read(HRegion region, Scan scan, List<String> texts) throws IOException {
    HStore store = region.getStore(FAMILY);
    long readPoint = region.getReadPoint(scan.getIsolationLevel());
    try (StoreScanner scanner =
        (StoreScanner) store.getScanner(scan, scan.getFamilyMap().get(FAMILY), readPoint)) {
      List<Cell> cells = new ArrayList<>();
      // Like a scanner of a region.
      ScannerContext context =
          ScannerContext.newBuilder(true)
              .setSizeLimit(LimitScope.BETWEEN_CELLS, 1 << 20, 1 << 20, 1 << 20)
              .build();
      boolean more;
      do {
        more = scanner.next(cells, context);
        cells.forEach(cell -> texts.add(text(cell)));
        texts.add("row of " + cells.size() + ", progress " + context.getDataSizeProgress());
        texts.add("blocks " + context.getBlockSizeProgress());
        if (scan.getReadType() == Scan.ReadType.DEFAULT) {
          texts.add("bytes of looks " + PlainRows.BYTES_READ.get(scanner));
        }
        cells.clear();
      } while (more);
      return scanner.getEstimatedNumberOfKvsScanned();
    }
  }

  private static String text(Cell cell) {
    return CellUtil.toString(cell, false) + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "ROW_INDEX_V1"})
  void rowsOfOneFileAreReadAtOnce(DataBlockEncoding encoding) throws IOException {
    create(encoding);
    flush();

    assertThat(cellsOfHBase(new Scan())).isEqualTo(LAST_ROW);
    for (List<Integer> columns : List.of(List.of(2), List.of(0, 4), List.of(9))) {
      Scan named = named(columns).setReadType(Scan.ReadType.PREAD);
      assertThat(cellsOfHBase(named)).isLessThanOrEqualTo(LAST_ROW);
    }
  }

  private static Scan named(List<Integer> columns) {
    Scan scan = new Scan();
    columns.forEach(column -> scan.addColumn(FAMILY, column(column)));
    return scan;
  }

  /**
   * In the last block HBase seeks a named column, and does not look at those before it. Those bytes
   * decide when it changes to a stream.
   */
  @Test
  void looksOfHBaseInALastBlockAreCounted() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();

    assertThat(cellsOfHBase(named(List.of(3)))).isGreaterThan(ROWS);
    assertThat(cellsOfHBase(named(List.of(0, 2)))).isGreaterThan(ROWS);
    assertThat(cellsOfHBase(named(List.of(0, 1)))).isLessThanOrEqualTo(LAST_ROW);
  }

  @Test
  void mostRowsOfManyBlocksAreReadAtOnce() throws IOException {
    blockBytes = 4096;
    create(DataBlockEncoding.NONE);
    flush();

    assertThat(cellsOfHBase(named(List.of(3)))).isLessThan(CELLS);
  }

  /**
   * HBase looks at an unwanted column in another file only if it steps over it. It does so only if
   * it has learnt by a seek where the block ends.
   */
  @ParameterizedTest
  @EnumSource(names = {"STREAM", "PREAD"})
  void blocksOfSmallFilesAreCounted(Scan.ReadType type) throws IOException {
    blockBytes = 4096;
    create(DataBlockEncoding.NONE);
    flush();
    for (int row = 5; row < ROWS; row += 10) {
      Put other = new Put(LocalRegions.row(row), 2).addColumn(FAMILY, column(1), column(1));
      twins.both(region -> region.put(other));
    }
    flush();

    for (List<Integer> columns : List.of(List.of(3), List.of(0, 2), List.of(1, 3))) {
      assertThat(cellsOfHBase(named(columns).setReadType(type))).isLessThan(CELLS / 2);
    }
  }

  @Test
  void otherEncodingsAreHBases() throws IOException {
    create(DataBlockEncoding.FAST_DIFF);
    flush();

    assertThat(cellsOfHBase(new Scan())).isEqualTo(CELLS);
  }

  @Test
  void olderVersionsArePassedOver() throws IOException {
    create(DataBlockEncoding.NONE);
    twins.both(region -> region.put(put(50, 2)));
    flush();

    assertThat(cellsOfHBase(new Scan())).isEqualTo(LAST_ROW);
    assertThat(cellsOfHBase(new Scan().readVersions(2))).isEqualTo(LAST_ROW);
    assertThat(cellsOfHBase(new Scan().addColumn(FAMILY, column(1)).readVersions(2)))
        .isLessThanOrEqualTo(LAST_ROW);
  }

  /** Returns the cells before the last row at which HBase looks, after some work on the rows. */
  private long cellsOfHBaseAfter(RegionTwins.Work work) throws IOException {
    create(DataBlockEncoding.NONE);
    twins.both(work);
    flush();
    return cellsOfHBase(new Scan()) - LAST_ROW;
  }

  @Test
  void aRowWithADeletionIsHBases() throws IOException {
    Delete delete = new Delete(LocalRegions.row(20)).addColumns(FAMILY, column(1), 2);

    assertThat(cellsOfHBaseAfter(region -> region.delete(delete)))
        .isBetween(COLUMNS - 1L, COLUMNS + 2L);
  }

  @Test
  void aRowWithATagIsHBases() throws IOException {
    long forever = Long.MAX_VALUE / 2;

    assertThat(
            cellsOfHBaseAfter(
                region ->
                    region.put(
                        new Put(LocalRegions.row(40), 2)
                            .addColumn(FAMILY, column(1), column(1))
                            .setTTL(forever))))
        .isBetween((long) COLUMNS, COLUMNS + 2L);
  }

  @Test
  void aRowInTwoFilesOrInTheMemstoreIsHBases() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    twins.both(region -> region.put(put(30, 2)));
    flush();
    twins.both(region -> region.put(put(60, 2)));

    assertThat(cellsOfHBase(new Scan())).isBetween(3L * COLUMNS, 8L * COLUMNS);
  }

  @Test
  void aRowWithinWhichALimitEndsTheRequestIsHBases() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    ScannerContext context =
        ScannerContext.newBuilder(true)
            .setSizeLimit(LimitScope.BETWEEN_CELLS, 3_000, 1 << 20, 1 << 20)
            .build();
    HRegion region = twins.ours();
    List<Cell> cells = new ArrayList<>();
    try (StoreScanner scanner =
        (StoreScanner)
            region.getStore(FAMILY).getScanner(new Scan(), null, region.getReadPoint(null))) {
      while (!context.checkSizeLimit(LimitScope.BETWEEN_CELLS)) {
        assertThat(scanner.next(cells, context)).isTrue();
      }

      assertThat(scanner.getEstimatedNumberOfKvsScanned()).isBetween(1L, (long) COLUMNS);
    }
    assertThat(cells.size() % COLUMNS).isNotZero();
  }

  private static List<Filter> filters() {
    BinaryComparator value = new BinaryComparator(new byte[20]);
    return List.of(
        new ValueFilter(CompareOperator.EQUAL, value),
        new ValueFilter(CompareOperator.NOT_EQUAL, value),
        new QualifierFilter(CompareOperator.GREATER, new BinaryComparator(column(1))),
        new ColumnPrefixFilter(column(3)),
        new ColumnRangeFilter(column(1), true, column(3), true),
        new KeyOnlyFilter(true),
        new FilterList(new KeyOnlyFilter(), new ColumnPrefixFilter(column(2))),
        new EndsRowsFilter());
  }

  /** Includes a part of each row. */
  private static final class EndsRowsFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return CellUtil.matchingQualifier(cell, column(2))
          ? ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW
          : ReturnCode.INCLUDE;
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void rowsThatAFilterSeesAreReadAtOnce(Filter filter) throws IOException {
    create(DataBlockEncoding.NONE);
    flush();

    assertThat(cellsOfHBase(new Scan().setFilter(filter))).isLessThanOrEqualTo(LAST_ROW);
    byte[] stop = LocalRegions.row(70);
    for (boolean inclusive : List.of(false, true)) {
      Scan part = new Scan().withStopRow(stop, inclusive).setReadType(Scan.ReadType.STREAM);
      assertThat(answers(part.setFilter(filter))).isNotEmpty();
    }
  }

  /** Returns the answers of both regions to a scan, if they are alike. */
  private List<String> answers(Scan scan) throws IOException {
    List<String> expected = readAll(twins.stock(), scan);
    assertThat(readAll(twins.ours(), scan)).isEqualTo(expected);
    return expected;
  }

  private static List<String> readAll(HRegion region, Scan scan) throws IOException {
    List<String> texts = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.nextRaw(cells);
        cells.forEach(cell -> texts.add(text(cell)));
        texts.add("row of " + cells.size());
        cells.clear();
      } while (more);
    }
    return texts;
  }

  @Test
  void aRowWithVersionsThatAFilterSeesIsHBases() throws IOException {
    create(DataBlockEncoding.NONE);
    twins.both(region -> region.put(put(50, 2)));
    flush();

    assertThat(cellsOfHBase(new Scan().setFilter(new KeyOnlyFilter())) - LAST_ROW)
        .isBetween((long) COLUMNS, 2L * COLUMNS + 2);
  }

  @Test
  void namedColumnsThatAFilterSeesAreHBases() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();

    assertThat(cellsOfHBase(named(List.of(2)).setFilter(new KeyOnlyFilter())))
        .isGreaterThanOrEqualTo(ROWS);
  }

  private void restartWithoutFilteredRows() throws IOException {
    twins.close();
    String cells = StoreScanner.HBASE_CELLS_SCANNED_PER_HEARTBEAT_CHECK;
    twins = new RegionTwins(directory.resolve("slow"), conf -> conf.setInt(cells, COLUMNS - 1));
  }

  /** Else a slow filter could exceed the time limit of a request by many cells. */
  @Test
  void aFilterSeesNoRowsAtOnceWithinWhichHBaseLooksAtTheTime() throws IOException {
    restartWithoutFilteredRows();
    create(DataBlockEncoding.NONE);
    flush();

    assertThat(cellsOfHBase(new Scan().setFilter(new KeyOnlyFilter()))).isEqualTo(CELLS);
    assertThat(cellsOfHBase(new Scan())).isEqualTo(LAST_ROW);
  }

  /** Is done after some cells, in the middle of a row. */
  private static final class EndsScanFilter extends FilterBase {
    private final int most;
    private int seen;

    EndsScanFilter(int most) {
      this.most = most;
    }

    @Override
    public boolean filterAllRemaining() {
      return seen >= most;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      seen++;
      return ReturnCode.INCLUDE;
    }
  }

  @Test
  void aFilterEndsTheScan() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    for (int most : List.of(COLUMNS * 2 - 1, COLUMNS * 2, COLUMNS * 2 + 1)) {
      List<String> expected = new ArrayList<>();
      read(twins.stock(), new Scan().setFilter(new EndsScanFilter(most)), expected);
      List<String> actual = new ArrayList<>();
      long looked = read(twins.ours(), new Scan().setFilter(new EndsScanFilter(most)), actual);

      assertThat(actual).isEqualTo(expected);
      assertThat(looked).isZero();
    }
  }

  @Test
  void rowsThatAFilterPassesOverAreHBases() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    Scan scan = new Scan().setFilter(new ColumnRangeFilter(column(9), true, null, true));

    cellsOfHBase(scan);
    assertThat(cellsOfHBase(scan)).isGreaterThan(ROWS / 2);
    assertThat(cellsOfHBase(new Scan())).isEqualTo(LAST_ROW);
  }

  /** Flushes the region when HBase asks where to go on, and tells how it was asked. */
  private static final class FlushingFilter extends FilterBase {
    private final HRegion region;
    private final List<String> calls = new ArrayList<>();

    FlushingFilter(HRegion region) {
      this.region = region;
    }

    @Override
    public boolean filterAllRemaining() {
      calls.add("done?");
      return false;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      calls.add(text(cell));
      boolean hinting =
          CellUtil.matchingRows(cell, LocalRegions.row(10))
              && CellUtil.matchingQualifier(cell, column(1));
      return hinting ? ReturnCode.SEEK_NEXT_USING_HINT : ReturnCode.INCLUDE;
    }

    @Override
    public Cell getNextCellHint(Cell cell) throws IOException {
      calls.add("where?");
      region.flush(true);
      return PrivateCellUtil.createFirstOnRow(LocalRegions.row(12));
    }
  }

  @Test
  void aFlushBeforeASeekChangesNothing() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    twins.both(region -> region.put(put(80, 2)));

    List<String> expected = callsOfAFlushingFilter(twins.stock());

    assertThat(callsOfAFlushingFilter(twins.ours())).isEqualTo(expected);
    assertThat(expected).contains("where?");
  }

  private static List<String> callsOfAFlushingFilter(HRegion region) throws IOException {
    FlushingFilter filter = new FlushingFilter(region);
    List<String> texts = new ArrayList<>();
    long looked = read(region, new Scan().setFilter(filter), texts);
    if (region.getStore(FAMILY) instanceof LeanStore) {
      assertThat(looked).isLessThan(CELLS / 2);
    }
    filter.calls.addAll(texts);
    return filter.calls;
  }

  @Test
  void aLimitOfTheHeapCountsTheCellsOfFilters() throws IOException {
    long before = ReaderMetrics.plainRows();
    List<Integer> atOnce = keysWithinLimits();
    assertThat(ReaderMetrics.plainRows()).isGreaterThan(before + 100);
    restartWithoutFilteredRows();

    assertThat(atOnce).isEqualTo(keysWithinLimits());
  }

  /** Returns how many keys of a wide row, and others, are within several limits. */
  private List<Integer> keysWithinLimits() throws IOException {
    create(DataBlockEncoding.NONE);
    Put wide = new Put(LocalRegions.row(0), 1);
    for (int column = 10; column < 50; column++) {
      wide.addColumn(FAMILY, column(column), column(column));
    }
    twins.both(region -> region.put(wide));
    flush();
    List<Integer> keys = new ArrayList<>();
    Scan scan = new Scan().setFilter(new KeyOnlyFilter());
    for (int bytes = 100; bytes < 9000; bytes += 50) {
      keys.add(cellsWithin(twins.ours(), scan, bytes));
    }
    return keys;
  }

  /** Returns the number of cells before the limit of bytes on the heap. */
  private static int cellsWithin(HRegion region, Scan scan, int bytes) throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder(true)
            .setSizeLimit(LimitScope.BETWEEN_CELLS, 1 << 20, bytes, 1 << 20)
            .build();
    List<Cell> cells = new ArrayList<>();
    try (StoreScanner scanner =
        (StoreScanner) region.getStore(FAMILY).getScanner(scan, null, region.getReadPoint(null))) {
      while (!context.checkSizeLimit(LimitScope.BETWEEN_CELLS)) {
        assertThat(scanner.next(cells, context)).isTrue();
      }
    }
    return cells.size();
  }

  @Test
  void aFailureOfAFilterReachesTheClient() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    Filter failing =
        new FilterBase() {
          @Override
          public ReturnCode filterCell(Cell cell) throws IOException {
            if (CellUtil.matchingQualifier(cell, column(3))) {
              throw new IOException("The filter fails");
            }
            return ReturnCode.INCLUDE;
          }
        };
    twins.both(
        region -> {
          long rows = region.getStore(FAMILY).getMixedRowReadsCount();
          try (RegionScanner scanner = region.getScanner(new Scan().setFilter(failing))) {
            assertThatThrownBy(() -> scanner.nextRaw(new ArrayList<>()))
                .isInstanceOf(IOException.class)
                .hasMessage("The filter fails");
          }
          assertThat(region.getStore(FAMILY).getMixedRowReadsCount()).isEqualTo(rows + 1);
        });
  }

  /** A list of a coprocessor, such as Phoenix's. */
  private static final class OnlyAdds extends AbstractList<Cell> {
    private final List<Cell> cells = new ArrayList<>();

    @Override
    public boolean add(Cell cell) {
      return cells.add(cell);
    }

    @Override
    public Cell get(int index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int size() {
      return cells.size();
    }

    @Override
    public List<Cell> subList(int from, int to) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aListNeedsOnlyToAdd() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    try (RegionScanner scanner = twins.ours().getScanner(new Scan())) {
      for (int row = 0; row < ROWS; row++) {
        List<Cell> cells = new OnlyAdds();
        scanner.nextRaw(cells);
        assertThat(cells.size()).isEqualTo(COLUMNS);
      }
    }
  }

  @Test
  void noNumberOfVersionsIsHBases() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();

    Scan none = new Scan().addColumn(FAMILY, column(1)).readVersions(0);
    assertThat(cellsOfHBase(none)).isGreaterThan(ROWS);
  }

  @Test
  void rowsAreCounted() throws IOException {
    create(DataBlockEncoding.NONE);
    flush();
    long before = ReaderMetrics.plainRows();

    cellsOfHBase(new Scan());

    assertThat(ReaderMetrics.plainRows() - before).isEqualTo(ROWS - 1);
  }

  @Test
  void shortScansTryAgainAfterRowsThatWereNotPlain() throws IOException {
    create(DataBlockEncoding.NONE);
    twins.both(
        region -> {
          for (int row = 0; row < ROWS; row++) {
            region.delete(new Delete(LocalRegions.row(row)).addColumns(FAMILY, column(1), 2));
          }
        });
    flush();
    for (int scan = 0; scan < 3; scan++) {
      cellsOfHBase(new Scan());
    }
    long before = ReaderMetrics.plainRows();
    twins.both(region -> region.compact(true));
    Scan shortScan =
        new Scan().withStartRow(LocalRegions.row(10)).withStopRow(LocalRegions.row(20));
    for (int scan = 0; scan < 1000; scan++) {
      readRows(twins.ours(), shortScan);
    }

    assertThat(ReaderMetrics.plainRows() - before).isGreaterThan(1000);
  }

  private static void readRows(HRegion region, Scan scan) throws IOException {
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      while (scanner.nextRaw(cells)) {
        cells.clear();
      }
    }
  }
}
