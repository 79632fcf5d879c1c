package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFile;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.regionserver.InlineRead.Outcome;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.fastpath.offheap.cache.ReaderCaches;
import org.fastpath.offheap.inline.InlineOptions;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A get or a scan is prepared from memory only, or not at all. Its answer equals HBase's. */
class InlineReadTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 2000;
  private static final InlineOptions OPTIONS = new InlineOptions(true, 10, 1000, 100, 10_000);

  @TempDir Path directory;
  private LocalRegions regions;
  private CombinedBlockCache cache;

  @BeforeEach
  void start() throws IOException {
    // Handlers serve a slow get, so this test stops the time.
    long now = System.currentTimeMillis();
    EnvironmentEdgeManager.injectEdge(() -> now);
    regions = new LocalRegions(directory);
    regions.conf().set("hbase.fastpath.offheap-cache.size", "16m");
    // A request ends when a scan begins to stream.
    regions.conf().setInt("hbase.storescanner.pread.max.bytes", 1 << 30);
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    cache =
        ReaderCaches.create(
            regions.conf(), new LruBlockCache(8 << 20, 8 << 10, regions.conf()), false);
    regions.cache(cache);
  }

  @AfterEach
  void stop() throws IOException {
    InlineRead.finish();
    EnvironmentEdgeManager.reset();
    assertThat(MemoryOnly.isOn()).isFalse();
    assertThat(RpcServer.getCurrentCall()).isEmpty();
    regions.close();
    assertThat(ReaderCaches.heldBytes(cache)).isZero();
    cache.shutdown();
  }

  private HRegion region() throws IOException {
    return region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY));
  }

  private HRegion region(ColumnFamilyDescriptorBuilder family) throws IOException {
    return region(family, ROWS, InlineReadTest::put);
  }

  /** Makes a row. */
  private interface RowMaker {
    Put put(int row) throws IOException;
  }

  /** Returns a region with one file of small blocks. */
  private HRegion region(ColumnFamilyDescriptorBuilder family, int rows, RowMaker maker)
      throws IOException {
    HRegion region =
        regions.create(LocalRegions.table("t", family.setBlocksize(1024).build()).build());
    for (int row = 0; row < rows; row++) {
      region.put(maker.put(row));
    }
    region.flush(true);
    return region;
  }

  private static Put put(int row) {
    return new Put(LocalRegions.row(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(row));
  }

  private Outcome prepare(HRegion region, Get get) throws IOException {
    ClientProtos.Get request = ProtobufUtil.toGet(get);
    return InlineRead.prepare(region, request, OPTIONS);
  }

  private static Get get(int row) {
    return new Get(LocalRegions.row(row));
  }

  private static List<Cell> answer(HRegion region, Get get) throws IOException {
    try {
      return region.get(get, false);
    } finally {
      InlineRead.finish();
    }
  }

  private long lookups() {
    return cache.getStats().getRequestCount();
  }

  @Test
  void cachedRowIsReadOnce() throws IOException {
    HRegion region = region();
    List<Cell> expected = region.get(get(7), false);
    long requests = region.getReadRequestsCount();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    long before = lookups();
    assertThat(answer(region, get(7))).isEqualTo(expected).hasSize(1);
    assertThat(lookups()).isEqualTo(before);
    assertThat(region.getReadRequestsCount()).isEqualTo(requests + 1);
  }

  @Test
  void rowThatIsNotThereIsAnsweredToo() throws IOException {
    HRegion region = region();
    Get absent = new Get(Bytes.toBytes("row-000007x"));
    region.get(absent, false);
    assertThat(prepare(region, absent)).isEqualTo(Outcome.READY);
    assertThat(answer(region, absent)).isEmpty();
  }

  @Test
  void rowInTheMemstoreIsAnsweredWithTheFiles() throws IOException {
    HRegion region = region();
    region.get(get(7), false);
    byte[] other = Bytes.toBytes("r");
    region.put(new Put(LocalRegions.row(7)).addColumn(FAMILY, other, other));
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    assertThat(answer(region, get(7))).hasSize(2);
  }

  /** The failed preparation counts nothing, and the handler's read caches the block. */
  @Test
  void blockThatIsNotCachedIsLeftToHandlers() throws IOException {
    HRegion region = region();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_IN_MEMORY);
    assertThat(InlineRead.take(region)).isNull();
    assertThat(region.get(get(7), false)).hasSize(1);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    InlineRead.finish();
  }

  /** After an IOException, HBase would ignore the filter forever. */
  @ParameterizedTest
  @EnumSource(
      value = BloomType.class,
      names = {"ROW", "ROWCOL"})
  void bloomFilterThatIsNotCachedStaysInUse(BloomType bloom) throws IOException {
    HRegion region =
        region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBloomFilterType(bloom));
    Get get = get(7).addColumn(FAMILY, QUALIFIER);
    region.get(get, false);
    LocalRegions.files(region)
        .forEach(
            file -> cache.getFirstLevelCache().evictBlocksByHfileName(file.getPath().getName()));
    assertThat(prepare(region, get)).isEqualTo(Outcome.NOT_IN_MEMORY);
    StoreFileReader reader = LocalRegions.files(region).get(0).getReader();
    assertThat(reader.generalBloomFilter).isNotNull();
    assertThat(region.get(get, false)).hasSize(1);
    assertThat(prepare(region, get)).isEqualTo(Outcome.READY);
    InlineRead.finish();
  }

  @Test
  void rowWithManyCellsIsLeftToHandlers() throws IOException {
    HRegion region = region();
    Put wide = new Put(LocalRegions.row(7));
    for (int column = 0; column <= OPTIONS.maxCells(); column++) {
      wide.addColumn(FAMILY, Bytes.toBytes(column), QUALIFIER);
    }
    region.put(wide);
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.EXCEEDED);
    assertThat(region.get(get(7), false)).hasSize(OPTIONS.maxCells() + 2);
  }

  @Test
  void rowWithManyBytesIsLeftToHandlers() throws IOException {
    HRegion region = region();
    region.put(
        new Put(LocalRegions.row(7)).addColumn(FAMILY, QUALIFIER, new byte[OPTIONS.maxBytes()]));
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.EXCEEDED);
  }

  @Test
  void filtersAreLeftToHandlers() throws IOException {
    HRegion region = region();
    Get get = get(7).setFilter(new FirstKeyOnlyFilter());
    region.get(get, false);
    assertThat(prepare(region, get)).isEqualTo(Outcome.NOT_FOR_US);
  }

  @Test
  void familyThatIsReadPastTheCacheIsLeftToHandlers() throws IOException {
    regions.conf().setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, false);
    HRegion region =
        region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlockCacheEnabled(false));
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_FOR_US);
  }

  /** HBase's code for such families can fail, which would disable inline reads. */
  @Test
  void familyWithNewVersionBehaviorIsLeftToHandlers() throws IOException {
    HRegion region =
        region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setNewVersionBehavior(true));
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_FOR_US);
  }

  @Test
  void regionThatIsClosedMeanwhileIsLeftToHandlers() throws IOException, InterruptedException {
    HRegion region = region();
    region.get(get(7), false);
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Thread closing =
        new Thread(
            () -> {
              region.lock.writeLock().lock();
              locked.countDown();
              try {
                asked.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                region.lock.writeLock().unlock();
              }
            });
    closing.start();
    locked.await();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_FOR_US);
    asked.countDown();
    closing.join();
  }

  @Test
  void whatWasNotTakenIsClosed() throws IOException {
    HRegion region = region();
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    InlineRead.finish();
    assertThat(InlineRead.take(region)).isNull();
    assertThat(region.lock.getReadHoldCount()).isZero();
  }

  @Test
  void getsAreTriedRarelyAfterMisses() throws IOException {
    HRegion region = region();
    long misses = 0;
    for (int row = 0; row < 1000; row++) {
      Get missing = get(row);
      cache.evictBlocksByHfileName(LocalRegions.files(region).get(0).getPath().getName());
      misses += prepare(region, missing) == Outcome.NOT_IN_MEMORY ? 1 : 0;
    }
    assertThat(misses).isBetween(17L, 100L);
  }

  private static ScanRequest scan(HRegion region, Scan scan, int rows) throws IOException {
    return RequestConverter.buildScanRequest(
        region.getRegionInfo().getRegionName(), scan, rows, false);
  }

  private static ScanRequest next(int rows) {
    return ScanRequest.newBuilder()
        .setScannerId(1)
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .setClientHandlesHeartbeats(true)
        .build();
  }

  private static Scan from(int row) {
    return new Scan().withStartRow(LocalRegions.row(row));
  }

  private static Outcome prepare(HRegion region, ScanRequest request) {
    return InlineScan.isShort(request, OPTIONS)
        ? InlineRead.prepare(region, request, OPTIONS)
        : Outcome.NOT_FOR_US;
  }

  private static Outcome prepare(RegionScannerImpl scanner, int rows) {
    return InlineRead.prepare((LeanRegionScanner) scanner, next(rows), OPTIONS);
  }

  /** Returns the rows of a request, one by one, as HBase reads them. */
  private static List<String> rows(RegionScannerImpl scanner, int rows) throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder(true)
            .setSizeLimit(LimitScope.BETWEEN_CELLS, 1 << 30, 1 << 30, 1 << 30)
            .setTimeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE)
            .build();
    List<String> answer = new ArrayList<>();
    boolean more = true;
    while (more && answer.size() < rows) {
      List<Cell> cells = new ArrayList<>();
      more = scanner.nextRaw(cells, context);
      if (!cells.isEmpty()) {
        answer.add(Bytes.toString(CellUtil.cloneRow(cells.get(0))) + " " + cells.size());
      }
    }
    return answer;
  }

  private static List<String> expected(int from, int rows) {
    return IntStream.range(from, Math.min(ROWS, from + rows))
        .mapToObj(row -> Bytes.toString(LocalRegions.row(row)) + " 1")
        .toList();
  }

  /** Reads all blocks into the cache. */
  private static void cacheAll(HRegion region) throws IOException {
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      assertThat(rows(scanner, ROWS)).hasSize(ROWS);
    }
  }

  @Test
  void cachedRowsOfAScanAreReadOnce() throws IOException {
    HRegion region = region();
    cacheAll(region);
    long requests = region.getReadRequestsCount();
    long reads = region.getStore(FAMILY).getMixedRowReadsCount();
    assertThat(prepare(region, scan(region, from(7), 30))).isEqualTo(Outcome.READY);
    assertThat(region.getReadRequestsCount()).isEqualTo(requests);
    assertThat(region.getStore(FAMILY).getMixedRowReadsCount()).isEqualTo(reads);
    long before = lookups();
    try (RegionScannerImpl scanner = region.getScanner(from(7))) {
      assertThat(rows(scanner, 30)).isEqualTo(expected(7, 30));
      assertThat(lookups()).isEqualTo(before);
      InlineRead.finish();
      scanner.shipped();
      assertThat(prepare(scanner, 40)).isEqualTo(Outcome.READY);
      before = lookups();
      assertThat(rows(scanner, 40)).isEqualTo(expected(37, 40));
      assertThat(lookups()).isEqualTo(before);
    }
    assertThat(region.getReadRequestsCount()).isEqualTo(requests + 70);
    assertThat(region.getStore(FAMILY).getMixedRowReadsCount()).isEqualTo(reads + 70);
  }

  @Test
  void bytesOfAScanWithMetricsAreCountedOnce() throws IOException {
    HRegion region = region();
    cacheAll(region);
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(true);
    long expected;
    try (RegionScannerImpl scanner = region.getScanner(from(7))) {
      rows(scanner, 60);
      expected = ThreadLocalServerSideScanMetrics.getBytesReadFromBlockCacheAndReset();
    }
    ScanRequest request = scan(region, from(7), 60).toBuilder().setTrackScanMetrics(true).build();
    assertThat(prepare(region, request)).isEqualTo(Outcome.READY);
    // HBase does this at the start of a request.
    ThreadLocalServerSideScanMetrics.reset();
    try (RegionScannerImpl scanner = region.getScanner(from(7))) {
      assertThat(rows(scanner, 60)).hasSize(60);
    }
    assertThat(ThreadLocalServerSideScanMetrics.getBytesReadFromBlockCacheAndReset())
        .isEqualTo(expected)
        .isPositive();
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(false);
  }

  @Test
  void scanThatFindsABlockMissingIsLeftToHandlers() throws IOException {
    HRegion region = region();
    long requests = region.getReadRequestsCount();
    long reads = region.getStore(FAMILY).getMixedRowReadsCount();
    region.get(get(7), false);
    // The row and some rows after it are in memory. Rows of the next block are not.
    assertThat(prepare(region, scan(region, from(7), 90))).isEqualTo(Outcome.NOT_IN_MEMORY);
    assertThat(InlineRead.take(region)).isNull();
    assertThat(region.getReadRequestsCount()).isEqualTo(requests + 1);
    assertThat(region.getStore(FAMILY).getMixedRowReadsCount()).isEqualTo(reads + 1);
  }

  /**
   * The handler begins at the request's first row, because the rows before the block are dropped.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void openScanGoesOnInAHandlerWhereABlockIsMissing(boolean tags) throws IOException {
    HRegion region = tags ? regionWithCompressedTags() : region();
    List<String> read = new ArrayList<>();
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      int misses = 0;
      while (read.size() < ROWS) {
        Outcome outcome = prepare(scanner, 25);
        misses += outcome == Outcome.NOT_IN_MEMORY ? 1 : 0;
        read.addAll(rows(scanner, 25));
        InlineRead.finish();
        scanner.shipped();
      }
      assertThat(misses).isPositive();
    }
    assertThat(read).isEqualTo(expected(0, ROWS));
  }

  /** Returns a region whose file is read by HBase's own scanner. */
  private HRegion regionWithCompressedTags() throws IOException {
    Tag[] tags = {new ArrayBackedTag((byte) 77, "tag")};
    HRegion region =
        region(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setDataBlockEncoding(DataBlockEncoding.DIFF)
                .setCompressTags(true),
            ROWS,
            row -> {
              byte[] name = LocalRegions.row(row);
              return new Put(name).add(new KeyValue(name, FAMILY, QUALIFIER, 1, name, tags));
            });
    try (HFileScanner scanner =
        LocalRegions.files(region).get(0).getReader().getScanner(true, true, false)) {
      assertThat(OffHeapHFile.isOffHeap(scanner)).isFalse();
    }
    return region;
  }

  @Test
  void rowsWithCompressedTagsAreAnsweredToo() throws IOException {
    HRegion region = regionWithCompressedTags();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_IN_MEMORY);
    List<Cell> expected = region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    long before = lookups();
    assertThat(answer(region, get(7))).isEqualTo(expected).hasSize(1);
    assertThat(lookups()).isEqualTo(before);
  }

  /** HBase's client opens a scan again whose scanner has failed. */
  @Test
  void errorInAPreparationFailsTheNextRequest() throws IOException {
    HRegion region = region();
    cacheAll(region);
    long now = EnvironmentEdgeManager.currentTime();
    Thread preparing = Thread.currentThread();
    AtomicInteger looks = new AtomicInteger();
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      assertThat(rows(scanner, 5)).isEqualTo(expected(0, 5));
      scanner.shipped();
      // The first look begins the preparation, the second one is after some rows.
      EnvironmentEdgeManager.injectEdge(
          () -> {
            if (Thread.currentThread() == preparing && looks.incrementAndGet() == 2) {
              throw new IllegalStateException("planted");
            }
            return now;
          });
      assertThatThrownBy(() -> prepare(scanner, 90)).hasMessage("planted");
      assertThatThrownBy(() -> rows(scanner, 5))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(region.getRegionInfo().getShortNameToLog())
          .hasRootCauseMessage("planted");
    }
  }

  /**
   * HBase ends a request when a scan begins to stream. Scanners that are opened again begin once
   * more at most.
   */
  @Test
  void scanThatLacksBlocksNeedsOneRequestMoreAtMost() throws IOException {
    HRegion region =
        region(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setConfiguration("hbase.storescanner.pread.max.bytes", "1000"));
    int requests = requests(region, false);
    assertThat(requests(region, true)).isBetween(requests, requests + 1);
  }

  /** Returns the number of requests for all rows, of which the cache has none at their start. */
  private int requests(HRegion region, boolean inline) throws IOException {
    String file = LocalRegions.files(region).get(0).getPath().getName();
    int requests = 0;
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      boolean more = true;
      while (more) {
        cache.evictBlocksByHfileName(file);
        if (inline) {
          prepare(scanner, 25);
        }
        more = request(scanner, 25);
        InlineRead.finish();
        scanner.shipped();
        requests++;
      }
    }
    return requests;
  }

  /** Serves a request; returns whether there are more rows. */
  private static boolean request(RegionScannerImpl scanner, int rows) throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder(true)
            .setTimeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE)
            .build();
    boolean more = true;
    for (int row = 0;
        more && row < rows && !context.checkTimeLimit(LimitScope.BETWEEN_ROWS);
        row++) {
      more = scanner.nextRaw(new ArrayList<>(), context);
    }
    return more;
  }

  /** HBase reads the row again itself, and nothing is counted twice. */
  @Test
  void rowThatExceedsALimitIsCountedOnceAndTheScanIsLeftToHandlers() throws IOException {
    HRegion region = region();
    cacheAll(region);
    for (int row = 0; row < 50; row++) {
      region.put(put(row));
    }
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(true);
    try {
      long expected = memstoreBytesOfTwoRequests(region, false);
      assertThat(expected).isPositive();
      ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(true);
      assertThat(memstoreBytesOfTwoRequests(region, true)).isEqualTo(expected);
    } finally {
      ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(false);
    }
  }

  private static long memstoreBytesOfTwoRequests(HRegion region, boolean inline)
      throws IOException {
    ThreadLocalServerSideScanMetrics.reset();
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      long bytes = ThreadLocalServerSideScanMetrics.getBytesReadFromMemstoreAndReset();
      if (inline) {
        ScanRequest request = next(20).toBuilder().setTrackScanMetrics(true).build();
        assertThat(InlineRead.prepare((LeanRegionScanner) scanner, request, OPTIONS))
            .isEqualTo(Outcome.READY);
        ThreadLocalServerSideScanMetrics.reset();
      }
      ScannerContext context =
          ScannerContext.newBuilder(true)
              .setSizeLimit(LimitScope.BETWEEN_CELLS, 1, 1, 1 << 30)
              .build();
      List<Cell> cells = new ArrayList<>();
      assertThat(scanner.nextRaw(cells, context)).isTrue();
      assertThat(cells).hasSize(1);
      InlineRead.finish();
      scanner.shipped();
      assertThat(rows(scanner, 3)).isEqualTo(expected(1, 3));
      scanner.shipped();
      bytes += ThreadLocalServerSideScanMetrics.getBytesReadFromMemstoreAndReset();
      assertThat(prepare(scanner, 20)).isEqualTo(inline ? Outcome.NOT_FOR_US : Outcome.READY);
      InlineRead.finish();
      return bytes;
    }
  }

  /**
   * A row with a delete marker only is empty, also if the marker is expired. Older versions of a
   * cell end within its row.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void emptyRowsCountAsFilteredInEachRequest(boolean expired) throws IOException {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setMaxVersions(5)
            .setKeepDeletedCells(KeepDeletedCells.TRUE)
            .setTimeToLive((int) TimeUnit.HOURS.toSeconds(12));
    HRegion region = regions.create(LocalRegions.table("t", family.build()).build());
    long now = EnvironmentEdgeManager.currentTime() - TimeUnit.HOURS.toMillis(1);
    long deleted = expired ? now - TimeUnit.DAYS.toMillis(1) : now - 10;
    region.delete(new Delete(LocalRegions.row(0)).addColumns(FAMILY, QUALIFIER, deleted));
    for (int row = 1; row < 10; row++) {
      byte[] name = LocalRegions.row(row);
      region.put(new Put(name).addColumn(FAMILY, QUALIFIER, now, name));
      region.put(new Put(name).addColumn(FAMILY, QUALIFIER, now + 1, name));
    }
    Scan scan = new Scan().setTimeRange(now - 1, now + 5).withStopRow(LocalRegions.row(2000));
    List<String> expected = requestsOfOneCell(region, scan, false);
    assertThat(expected).hasSizeGreaterThan(9);
    assertThat(requestsOfOneCell(region, scan, true)).isEqualTo(expected);
  }

  /** Returns the cells and counts of requests that end behind each cell. */
  private static List<String> requestsOfOneCell(HRegion region, Scan scan, boolean inline)
      throws IOException {
    List<String> requests = new ArrayList<>();
    if (inline) {
      assertThat(prepare(region, scan(region, scan, 3))).isEqualTo(Outcome.READY);
    }
    try (RegionScannerImpl scanner = region.getScanner(scan)) {
      for (boolean more = true; more; ) {
        ServerSideScanMetrics metrics = new ServerSideScanMetrics();
        ScannerContext context =
            ScannerContext.newBuilder(true)
                .setTrackMetrics(true)
                .setScanMetrics(metrics)
                .setSizeLimit(LimitScope.BETWEEN_CELLS, 1, 1, 1 << 30)
                .setTimeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE)
                .build();
        List<Cell> cells = new ArrayList<>();
        more = scanner.nextRaw(cells, context);
        InlineRead.finish();
        scanner.shipped();
        requests.add(cells + " " + metrics.getMetricsMap());
        if (inline && more) {
          InlineRead.prepare((LeanRegionScanner) scanner, next(3), OPTIONS);
        }
      }
    }
    return requests;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsThatWaitOutliveTheirBlocks(boolean tags) throws IOException {
    HRegion region = tags ? regionWithCompressedTags() : region();
    cacheAll(region);
    List<Cell> row = region.get(get(7), false);
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      assertThat(prepare(scanner, 90)).isEqualTo(Outcome.READY);
      InlineRead.finish();
      assertThat(rows(scanner, 5)).isEqualTo(expected(0, 5));
      scanner.shipped();
      cache.evictBlocksByHfileName(LocalRegions.files(region).get(0).getPath().getName());
      assertThat(rows(scanner, 2)).isEqualTo(expected(5, 2));
      List<Cell> cells = new ArrayList<>();
      scanner.nextRaw(cells);
      assertThat(cells).singleElement().satisfies(cell -> assertSame(cell, row.get(0)));
      assertThat(rows(scanner, ROWS)).isEqualTo(expected(8, ROWS));
    }
  }

  /** Cells are equal if their keys are. This compares the rest too. */
  private static void assertSame(Cell cell, Cell expected) {
    assertThat(cell).isEqualTo(expected);
    assertThat(cell.getSequenceId()).isEqualTo(expected.getSequenceId());
    assertThat(CellUtil.cloneValue(cell)).isEqualTo(CellUtil.cloneValue(expected));
    assertThat(PrivateCellUtil.cloneTags(cell)).isEqualTo(PrivateCellUtil.cloneTags(expected));
  }

  /**
   * A seek that misses a block closes its scanner, which releases the blocks of all rows before.
   * Freed memory is overwritten.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsBeforeAMissAreReadAgain(boolean waiting) throws IOException {
    HRegion region =
        region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY), 100, InlineReadTest::rowOfBlocks);
    String file = LocalRegions.files(region).get(0).getPath().getName();
    Scan scan = new Scan().addColumn(FAMILY, Bytes.toBytes("ca"));
    List<Cell> expected = cells(region.getScanner(scan), 100);
    assertThat(expected).hasSize(100);
    for (int row = 20; row < 32; row++) {
      cells(region.getScanner(new Scan(scan)), 100);
      try (RegionScannerImpl scanner = region.getScanner(scan)) {
        if (waiting) {
          assertThat(prepare(scanner, 10)).isEqualTo(Outcome.READY);
          InlineRead.finish();
        }
        // The row's block leaves the cache, and the rows before it are read.
        cache.evictBlocksByHfileName(file);
        cells(region.getScanner(new Scan(scan).withStopRow(LocalRegions.row(row))), row);
        assertThat(prepare(scanner, 90)).isEqualTo(Outcome.NOT_IN_MEMORY);
        cache.evictBlocksByHfileName(file);
        List<Cell> read = cells(scanner, 100);
        assertThat(read).hasSize(100);
        for (int i = 0; i < 100; i++) {
          assertSame(read.get(i), expected.get(i));
        }
      }
    }
  }

  /** Returns a row that is wider than a block. */
  private static Put rowOfBlocks(int row) {
    Put put = new Put(LocalRegions.row(row));
    for (int column = 0; column < 20; column++) {
      byte[] value = new byte[200];
      Arrays.fill(value, (byte) (row + column));
      put.addColumn(FAMILY, Bytes.toBytes("c" + (char) ('a' + column)), value);
    }
    return put;
  }

  /** Returns copies of the first cells of a request's rows. */
  private static List<Cell> cells(RegionScannerImpl scanner, int rows) throws IOException {
    List<Cell> answer = new ArrayList<>();
    boolean more = true;
    while (more && answer.size() < rows) {
      List<Cell> cells = new ArrayList<>();
      more = scanner.nextRaw(cells);
      if (!cells.isEmpty()) {
        answer.add(cells.get(0));
      }
    }
    answer.replaceAll(KeyValue::new);
    scanner.close();
    return answer;
  }

  @Test
  void wrongRequestsAreLeftToHandlers() throws IOException {
    HRegion region = region();
    ClientProtos.Get wrong =
        ProtobufUtil.toGet(get(7)).toBuilder().setRow(ByteString.EMPTY).build();
    assertThat(InlineRead.prepare(region, wrong, OPTIONS)).isEqualTo(Outcome.NOT_FOR_US);
    ScanRequest request = scan(region, from(7), 10);
    ScanRequest late =
        request.toBuilder()
            .setScan(
                request.getScan().toBuilder()
                    .setTimeRange(HBaseProtos.TimeRange.newBuilder().setFrom(2).setTo(1)))
            .build();
    assertThat(prepare(region, late)).isEqualTo(Outcome.NOT_FOR_US);
  }

  /** A scanner that misses a block of one file must not hold blocks of the other. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scannersThatMissAreClosed(boolean tags) throws IOException {
    HRegion region = tags ? regionWithCompressedTags() : region();
    for (int row = 0; row < ROWS; row += 2) {
      region.put(put(row).addColumn(FAMILY, Bytes.toBytes("r"), QUALIFIER));
    }
    region.flush(true);
    Scan scan = from(7).addColumn(FAMILY, QUALIFIER).addColumn(FAMILY, Bytes.toBytes("r"));
    for (HStoreFile missing : LocalRegions.files(region)) {
      cacheAll(region);
      try (RegionScannerImpl open = region.getScanner(scan)) {
        assertThat(rows(open, 3)).hasSize(3);
        open.shipped();
        cache.evictBlocksByHfileName(missing.getPath().getName());
        assertThat(prepare(open, 90)).isEqualTo(Outcome.NOT_IN_MEMORY);
        assertThat(prepare(region, scan(region, scan, 90))).isEqualTo(Outcome.NOT_IN_MEMORY);
        assertThat(prepare(region, new Get(LocalRegions.row(1000))))
            .isEqualTo(Outcome.NOT_IN_MEMORY);
      }
    }
    // A scanner that was not closed opens scanners of the new file.
    region.put(put(7));
    region.flush(true);
    assertThat(LocalRegions.files(region)).hasSize(3).allMatch(file -> file.getRefCount() == 0);
  }

  /** Returns a row of more cells than a scan may read in an event loop. */
  private static Put wide(int row) {
    Put wide = new Put(LocalRegions.row(row));
    for (int column = 0; column <= OPTIONS.maxScanCells(); column++) {
      wide.addColumn(FAMILY, Bytes.toBytes(column), QUALIFIER);
    }
    return wide;
  }

  @Test
  void aRowOfManyCellsInOneBlockIsLeftToHandlers() throws IOException {
    HRegion region =
        regions.create(
            LocalRegions.table(
                    "t",
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(1 << 20).build())
                .build());
    for (int row = 0; row < 10; row++) {
      region.put(row == 3 ? wide(row) : put(row));
    }
    region.flush(true);
    long before = ReaderMetrics.plainRows();
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      assertThat(rows(scanner, 10)).hasSize(10);
    }
    assertThat(ReaderMetrics.plainRows()).isGreaterThanOrEqualTo(before + 9);
    assertThat(prepare(region, scan(region, from(0), 10))).isEqualTo(Outcome.EXCEEDED);
    assertThat(prepare(region, scan(region, from(4), 5))).isEqualTo(Outcome.READY);
  }

  @Test
  void scanWithManyCellsIsLeftToHandlersWithoutALoss() throws IOException {
    HRegion region = region();
    cacheAll(region);
    Scan range = from(0).withStopRow(LocalRegions.row(500));
    assertThat(prepare(region, scan(region, range, Integer.MAX_VALUE))).isEqualTo(Outcome.EXCEEDED);
    try (RegionScannerImpl scanner = region.getScanner(range)) {
      region.put(wide(20));
      assertThat(prepare(scanner, 100)).isEqualTo(Outcome.READY);
      InlineRead.finish();
      assertThat(rows(scanner, 500)).isEqualTo(expected(0, 500));
    }
    try (RegionScannerImpl scanner = region.getScanner(range)) {
      assertThat(prepare(scanner, 100)).isEqualTo(Outcome.EXCEEDED);
      List<String> rows = rows(scanner, 500);
      assertThat(rows).hasSize(500);
      assertThat(rows.get(20)).endsWith(" " + (OPTIONS.maxScanCells() + 2));
    }
  }

  @Test
  void otherScansAreLeftToHandlers() throws IOException {
    HRegion region = region();
    cacheAll(region);
    for (Scan other :
        List.of(
            new Scan().setReversed(true),
            new Scan().setBatch(2),
            new Scan().setFilter(new FirstKeyOnlyFilter()),
            new Scan().setReadType(Scan.ReadType.STREAM))) {
      assertThat(prepare(region, scan(region, other, 5))).isEqualTo(Outcome.NOT_FOR_US);
    }
    assertThat(prepare(region, scan(region, new Scan(), Integer.MAX_VALUE)))
        .isEqualTo(Outcome.NOT_FOR_US);
    ScanRequest old =
        scan(region, new Scan(), 5).toBuilder().setClientHandlesPartials(false).build();
    assertThat(prepare(region, old)).isEqualTo(Outcome.NOT_FOR_US);
  }

  @Test
  void scanInUseIsLeftToItsUser() throws IOException {
    HRegion region = region();
    cacheAll(region);
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      rows(scanner, 1);
      assertThat(prepare(scanner, 5)).isEqualTo(Outcome.NOT_FOR_US);
      scanner.shipped();
      assertThat(prepare(scanner, 5)).isEqualTo(Outcome.READY);
      InlineRead.finish();
      assertThat(rows(scanner, 5)).isEqualTo(expected(1, 5));
      scanner.close();
      assertThat(prepare(scanner, 5)).isEqualTo(Outcome.NOT_FOR_US);
    }
  }

  /**
   * The rest of the row is not read ahead. Otherwise a broken scanner would begin the row again.
   */
  @Test
  void scanThatStopsWithinARowIsLeftToHandlers() throws IOException {
    HRegion region = region();
    region.put(put(0).addColumn(FAMILY, Bytes.toBytes("r"), QUALIFIER));
    cacheAll(region);
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      ScannerContext context =
          ScannerContext.newBuilder(true)
              .setSizeLimit(LimitScope.BETWEEN_CELLS, 1, 1 << 30, 1 << 30)
              .build();
      List<Cell> cells = new ArrayList<>();
      assertThat(scanner.nextRaw(cells, context)).isTrue();
      assertThat(cells).hasSize(1);
      scanner.shipped();
      assertThat(prepare(scanner, 5)).isEqualTo(Outcome.NOT_FOR_US);
      assertThat(rows(scanner, 3)).isEqualTo(expected(0, 3));
      scanner.shipped();
      assertThat(prepare(scanner, 5)).isEqualTo(Outcome.READY);
      InlineRead.finish();
    }
  }

  @Test
  void flushWhileRowsWaitLosesNone() throws IOException {
    HRegion region = region();
    cacheAll(region);
    for (int row = 0; row < 100; row += 2) {
      region.put(put(row));
    }
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      List<String> read = new ArrayList<>();
      while (read.size() < 200) {
        prepare(scanner, 20);
        InlineRead.finish();
        if (read.size() == 40) {
          region.flush(true);
        }
        read.addAll(rows(scanner, 20));
        scanner.shipped();
      }
      assertThat(read).isEqualTo(expected(0, 200));
    }
  }

  /** A coprocessor with a hook for gets. */
  public static final class SeesGets implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells) {}
  }

  /** A coprocessor with a hook for scans. */
  public static final class SeesScans implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public boolean preScannerNext(
        ObserverContext<RegionCoprocessorEnvironment> context,
        InternalScanner scanner,
        List<Result> results,
        int limit,
        boolean more) {
      return more;
    }
  }

  /** A coprocessor without a hook. */
  public static final class SeesNone implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }
  }

  @Test
  void hooksAreFound() {
    assertThat(ObserverHook.of(new SeesGets())).containsExactly(ObserverHook.POST_GET);
    assertThat(ObserverHook.of(new SeesScans())).containsExactly(ObserverHook.PRE_SCANNER_NEXT);
    assertThat(ObserverHook.of(new SeesNone())).isEmpty();
  }
}
