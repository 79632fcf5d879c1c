package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.fastpath.offheap.reader.ReaderOptions;
import org.fastpath.offheap.reader.ReaderSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a store have the configured reader, wherever the configuration is set. */
class OffHeapReaderStoreEngineTest {
  private static final int ROWS = 1000;
  private static final int SPLIT = 300;
  private static final int WIDE_ROWS = 30;
  private static final long FAR = Long.MAX_VALUE;
  private static final byte[] ROW = Bytes.toBytes("row");

  @TempDir Path directory;
  private LocalRegions regions;

  @BeforeEach
  void start() throws IOException {
    regions = new LocalRegions(directory);
  }

  @AfterEach
  void stop() throws IOException {
    regions.close();
  }

  @Test
  void filesThatAreFlushedAndCompactedAndOpenedAreReadByUs() throws IOException {
    HRegion region = regions.createWithRows(LocalRegions.table("ours").build(), ROWS);
    assertThat(readers(region)).containsExactly(OffHeapStoreFileReader.class);
    region.compact(true);
    assertThat(readers(region)).containsExactly(OffHeapStoreFileReader.class);
    HRegion again = regions.reopen(region);
    assertThat(readers(again)).containsExactly(OffHeapStoreFileReader.class);
    assertThat(rows(again, false)).hasSize(ROWS).isSorted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DateTiered", "Stripe"})
  void otherEnginesAttachItToo(String kind) throws IOException {
    TableDescriptor table =
        LocalRegions.table(kind)
            .setValue(
                StoreEngine.STORE_ENGINE_CLASS_KEY,
                "org.apache.hadoop.hbase.regionserver.OffHeapReader" + kind + "StoreEngine")
            .build();
    HRegion region = regions.createWithRows(table, ROWS);
    assertThat(readers(region)).containsExactly(OffHeapStoreFileReader.class);
    assertThat(rows(region, false)).hasSize(ROWS);
  }

  @Test
  void referencesAreReadByUsAndHoldTheirHalf() throws IOException {
    HRegion parent = regions.createWithRows(LocalRegions.table("split").build(), ROWS);
    List<HRegion> halves = regions.split(parent, LocalRegions.row(SPLIT));
    List<String> all = rows(parent, false);
    for (HRegion half : halves) {
      assertThat(readers(half)).containsExactly(OffHeapHalfStoreFileReader.class);
    }
    assertThat(rows(halves.get(0), false)).isEqualTo(all.subList(0, SPLIT));
    assertThat(rows(halves.get(1), false)).isEqualTo(all.subList(SPLIT, ROWS));
    assertThat(rows(halves.get(0), true)).isEqualTo(reversed(all.subList(0, SPLIT)));
    assertThat(rows(halves.get(1), true)).isEqualTo(reversed(all.subList(SPLIT, ROWS)));
    assertThat(halves.get(0).getStore(LocalRegions.FAMILY).getStorefilesCount()).isOne();
    halves.get(0).compact(true);
    assertThat(readers(halves.get(0))).containsExactly(OffHeapStoreFileReader.class);
    assertThat(rows(halves.get(0), false)).isEqualTo(all.subList(0, SPLIT));
  }

  @Test
  void openFileIsCountedByItsInfoAndEqualToWhatHBaseKnowsOfIt() throws IOException {
    HRegion region = regions.createWithRows(LocalRegions.table("counted").build(), ROWS);
    HStoreFile file = LocalRegions.files(region).get(0);
    StoreFileInfo stock =
        StoreFileInfo.createStoreFileInfoForHFile(
            regions.conf(), region.getFilesystem(), file.getPath(), true);
    assertThat(file.getFileInfo()).isInstanceOf(OffHeapStoreFileInfo.class).isEqualTo(stock);
    assertThat(stock).isEqualTo(file.getFileInfo()).hasSameHashCodeAs(file.getFileInfo());
    assertThat(file.getFileInfo().getSize()).isEqualTo(stock.getSize()).isPositive();
    assertThat(file.getFileInfo().getCreatedTimestamp()).isEqualTo(stock.getCreatedTimestamp());
    assertThat(file.getReader().isPrimaryReplicaReader()).isTrue();
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      assertThat(scanner.next(new ArrayList<>())).isTrue();
      assertThat(file.getRefCount()).isOne();
    }
    assertThat(file.getRefCount()).isZero();
  }

  @Test
  void streamsReadWhatPreadsRead() throws IOException {
    HRegion region = regions.createWithRows(LocalRegions.table("streams").build(), ROWS);
    Scan scan = new Scan().setReadType(Scan.ReadType.STREAM);
    assertThat(rows(region, scan)).isEqualTo(rows(region, false));
  }

  @Test
  void offByTableIsStock() throws IOException {
    TableDescriptor table =
        LocalRegions.table("off").setValue(ReaderOptions.ENABLED, "false").build();
    assertThatFilesAreStock(regions.createWithRows(table, ROWS));
  }

  @Test
  void offByFamilyIsStock() throws IOException {
    TableDescriptor table =
        LocalRegions.table(
                "off",
                ColumnFamilyDescriptorBuilder.newBuilder(LocalRegions.FAMILY)
                    .setConfiguration(ReaderOptions.ENABLED, "false")
                    .build())
            .build();
    assertThatFilesAreStock(regions.createWithRows(table, ROWS));
  }

  @Test
  void offByServerIsStockAndOnByTableIsOurs() throws IOException {
    regions.conf().set(ReaderOptions.ENABLED, "false");
    assertThatFilesAreStock(regions.createWithRows(LocalRegions.table("off").build(), ROWS));
    TableDescriptor on = LocalRegions.table("on").setValue(ReaderOptions.ENABLED, "true").build();
    assertThat(readers(regions.createWithRows(on, ROWS)))
        .containsExactly(OffHeapStoreFileReader.class);
  }

  @Test
  void wrongWordIsStock() throws IOException {
    TableDescriptor table =
        LocalRegions.table("wrong").setValue(ReaderOptions.ENABLED, "perhaps").build();
    assertThatFilesAreStock(regions.createWithRows(table, ROWS));
  }

  @ParameterizedTest
  @CsvSource({"hbase:acl,false", "hbase:acl,true", "master:store,false", "master:store,true"})
  void systemTablesAreStockUnlessAskedForAndTheMastersAlways(String name, boolean asked)
      throws IOException {
    regions.conf().setBoolean(ReaderOptions.SYSTEM_TABLES, asked);
    HRegion region = regions.createWithRows(LocalRegions.table(name).build(), ROWS);
    if (asked && name.startsWith("hbase:")) {
      assertThat(readers(region)).containsExactly(OffHeapStoreFileReader.class);
    } else {
      assertThatFilesAreStock(region);
    }
  }

  @Test
  void referencesOfATableThatIsOffAreStock() throws IOException {
    TableDescriptor table =
        LocalRegions.table("off").setValue(ReaderOptions.ENABLED, "false").build();
    HRegion parent = regions.createWithRows(table, ROWS);
    for (HRegion half : regions.split(parent, LocalRegions.row(SPLIT))) {
      assertThat(readers(half)).containsExactly(HalfStoreFileReader.class);
    }
  }

  @Test
  void serverSetsTheEngineWhereItIsAskedForAndNoneWasChosen() {
    Configuration conf = new Configuration(false);
    assertThat(ReaderSupport.prepared(conf).get(StoreEngine.STORE_ENGINE_CLASS_KEY)).isNull();
    conf.set(ReaderOptions.ENABLED, "false");
    assertThat(ReaderSupport.prepared(conf).get(StoreEngine.STORE_ENGINE_CLASS_KEY)).isNull();
    conf.set(ReaderOptions.ENABLED, "true");
    assertThat(ReaderSupport.prepared(conf).get(StoreEngine.STORE_ENGINE_CLASS_KEY))
        .isEqualTo(OffHeapReaderStoreEngine.class.getName());
    conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, StripeStoreEngine.class.getName());
    assertThat(ReaderSupport.prepared(conf).get(StoreEngine.STORE_ENGINE_CLASS_KEY))
        .isEqualTo(StripeStoreEngine.class.getName());
  }

  @Test
  void engineOfOursTellsTheCacheThatTheReaderIsWanted() {
    Configuration conf = new Configuration(false);
    conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, OffHeapReaderStripeStoreEngine.class.getName());
    assertThat(ReaderSupport.prepared(conf).get(ReaderOptions.ENABLED)).isEqualTo("true");
    conf.set(ReaderOptions.ENABLED, "false");
    assertThat(ReaderSupport.prepared(conf).get(ReaderOptions.ENABLED)).isEqualTo("false");
  }

  @Test
  void serverSetsTheRegionWhereAnEngineIsOursAndNoneWasChosen() {
    Configuration conf = new Configuration(false);
    assertThat(ReaderSupport.prepared(conf).get(HConstants.REGION_IMPL)).isNull();
    conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, OffHeapReaderStripeStoreEngine.class.getName());
    assertThat(ReaderSupport.prepared(conf).get(HConstants.REGION_IMPL))
        .isEqualTo(OffHeapReadRegion.class.getName());
    conf.set(HConstants.REGION_IMPL, MeteredRegion.class.getName());
    assertThat(ReaderSupport.prepared(conf).get(HConstants.REGION_IMPL))
        .isEqualTo(OffHeapReadMeteredRegion.class.getName());
    conf.set(HConstants.REGION_IMPL, HRegion.class.getName());
    assertThat(ReaderSupport.prepared(conf).get(HConstants.REGION_IMPL))
        .isEqualTo(HRegion.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {ReaderOptions.ENABLED, ReaderOptions.SYSTEM_TABLES})
  void serverRefusesAWrongWord(String key) {
    Configuration conf = new Configuration(false);
    conf.set(key, "perhaps");
    assertThatThrownBy(() -> ReaderSupport.prepared(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(key + " is perhaps, allowed is true or false");
  }

  /** HBase forgets such files when it closes the store, and leaves their streams open. */
  @ParameterizedTest
  @EnumSource(names = {"PREAD", "STREAM"})
  void compactedFilesOfAClosedStoreAreClosedWithTheLastScanner(Scan.ReadType type)
      throws IOException {
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    long before = ReaderMetrics.openFiles();
    HRegion region = regions.createWithRows(LocalRegions.table("read").build(), ROWS);
    region.put(new Put(LocalRegions.row(ROWS)).addColumn(LocalRegions.FAMILY, ROW, ROW));
    region.flush(true);
    RegionScanner scanner = region.getScanner(new Scan().setReadType(type));
    List<Cell> cells = new ArrayList<>();
    assertThat(scanner.next(cells)).isTrue();
    region.compact(true);
    region.close();
    assertThat(ReaderMetrics.openFiles() - before).isEqualTo(2);
    scanner.close();
    assertThat(ReaderMetrics.openFiles()).isEqualTo(before);
  }

  @Test
  void compactedFilesThatNobodyReadsAreClosedWithTheStore() throws IOException {
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    long before = ReaderMetrics.openFiles();
    HRegion region = regions.createWithRows(LocalRegions.table("unread").build(), ROWS);
    region.compact(true);
    region.close();
    assertThat(ReaderMetrics.openFiles()).isEqualTo(before);
  }

  /** Size limits count the sizes of HBase's own cells of the same file. */
  @ParameterizedTest
  @EnumSource
  void scansAreCutAtTheCellsWhereHBaseCutsThem(DataBlockEncoding encoding) throws IOException {
    HRegion ours = wideRows("ours", "true", encoding);
    HRegion stock = wideRows("stock", "false", encoding);
    for (long limit : new long[] {1, 100, 1000, 5000}) {
      assertThat(chunks(ours, limit)).as("limit " + limit).isEqualTo(chunks(stock, limit));
    }
  }

  private HRegion wideRows(String name, String enabled, DataBlockEncoding encoding)
      throws IOException {
    HRegion region =
        regions.create(
            LocalRegions.table(
                    name,
                    ColumnFamilyDescriptorBuilder.newBuilder(LocalRegions.FAMILY)
                        .setDataBlockEncoding(encoding)
                        .build())
                .setValue(ReaderOptions.ENABLED, enabled)
                .build());
    for (int row = 0; row < WIDE_ROWS; row++) {
      Put put = new Put(LocalRegions.row(row));
      for (int column = 0; column <= row % WIDE_ROWS; column++) {
        put.addColumn(LocalRegions.FAMILY, Bytes.toBytes("q" + column), new byte[7 * column]);
      }
      if (row % 3 == 0) {
        put.setTTL(Integer.MAX_VALUE);
      }
      region.put(put);
    }
    region.flush(true);
    return region;
  }

  /** Returns the number of cells of each call under a size limit, and the state after it. */
  private static List<String> chunks(HRegion region, long limit) throws IOException {
    List<String> chunks = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        ScannerContext context =
            ScannerContext.newBuilder()
                .setSizeLimit(ScannerContext.LimitScope.BETWEEN_CELLS, FAR, limit, FAR)
                .build();
        more = scanner.next(cells, context);
        chunks.add(cells.size() + " " + context.mayHaveMoreCellsInRow());
        cells.clear();
      } while (more);
    }
    return chunks;
  }

  private static void assertThatFilesAreStock(HRegion region) throws IOException {
    assertThat(readers(region)).containsExactly(StoreFileReader.class);
    assertThat(LocalRegions.files(region).get(0).getFileInfo())
        .isExactlyInstanceOf(StoreFileInfo.class);
    assertThat(rows(region, false)).hasSize(ROWS);
  }

  private static List<Class<?>> readers(HRegion region) {
    List<Class<?>> readers = new ArrayList<>();
    for (HStoreFile file : LocalRegions.files(region)) {
      readers.add(file.getReader().getClass());
    }
    return readers;
  }

  private static List<String> rows(HRegion region, boolean reversed) throws IOException {
    return rows(region, new Scan().setReversed(reversed));
  }

  private static List<String> rows(HRegion region, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(cells);
        cells.forEach(cell -> rows.add(Bytes.toString(CellUtil.cloneRow(cell))));
        cells.clear();
      } while (more);
    }
    return rows;
  }

  private static List<String> reversed(List<String> rows) {
    List<String> reversed = new ArrayList<>(rows);
    Collections.reverse(reversed);
    return reversed;
  }
}
