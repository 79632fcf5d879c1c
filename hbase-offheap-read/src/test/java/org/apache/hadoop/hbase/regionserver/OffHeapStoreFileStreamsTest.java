package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.cache.OffHeapBlockCache;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs scans that would stream a file, with the file cached and not cached. */
class OffHeapStoreFileStreamsTest {
  private static final int ROWS = 5000;

  @TempDir Path directory;
  private LocalRegions regions;
  private OffHeapBlockCache cache;
  private HStoreFile file;
  private HRegion region;
  private long sparedBefore;

  @BeforeEach
  void start() throws IOException {
    regions = new LocalRegions(directory);
    regions.conf().set("hbase.fastpath.offheap-cache.size", "16m");
    cache = OffHeapBlockCache.create(regions.conf());
    region = regions.createWithRows(LocalRegions.table("t").build(), ROWS);
    file =
        new HStoreFile(
            new OffHeapStoreFileInfo(regions.stockFile(region)),
            BloomType.NONE,
            new CacheConfig(regions.conf(), null, cache, ByteBuffAllocator.HEAP));
    file.initReader();
    sparedBefore = ReaderMetrics.sparedStreams();
  }

  @AfterEach
  void stop() throws IOException {
    file.closeStoreFile(false);
    cache.shutdown();
    regions.close();
  }

  private long spared() {
    return ReaderMetrics.sparedStreams() - sparedBefore;
  }

  private StoreFileScanner pread(boolean cacheBlocks) {
    return file.getPreadScanner(cacheBlocks, Long.MAX_VALUE, 0, false);
  }

  private StoreFileScanner stream() throws IOException {
    return file.getStreamScanner(false, false, false, Long.MAX_VALUE, 0, false);
  }

  private static List<String> rest(StoreFileScanner scanner) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
      rows.add(Bytes.toString(CellUtil.cloneRow(cell)));
    }
    return rows;
  }

  private static List<String> rows(StoreFileScanner scanner) throws IOException {
    try (scanner) {
      scanner.seek(KeyValue.LOWESTKEY);
      return rest(scanner);
    }
  }

  private void evict() {
    assertThat(cache.evictBlocksByHfileName(file.getPath().getName())).isGreaterThan(2);
  }

  @Test
  void aFileThatIsNotCachedIsStreamed() throws IOException {
    assertThat(rows(stream())).hasSize(ROWS);
    assertThat(spared()).isZero();
    rows(pread(true));
    evict();
    assertThat(rows(stream())).hasSize(ROWS);
    assertThat(spared()).isZero();
  }

  @Test
  void aCachedFileIsReadWithoutAStreamOfItsOwn() throws IOException {
    List<String> all = rows(pread(true));
    assertThat(all).hasSize(ROWS).isSorted();
    long misses = cache.getStats().getMissCount();
    StoreFileScanner scanner = stream();
    assertThat(spared()).isOne();
    assertThat(file.getRefCount()).isOne();
    assertThat(rows(scanner)).isEqualTo(all);
    assertThat(file.getRefCount()).isZero();
    assertThat(cache.getStats().getMissCount()).isEqualTo(misses);
    // The closed scanner has not closed the streams of the others.
    evict();
    assertThat(rows(pread(true))).isEqualTo(all);
  }

  @Test
  void blocksThatLeaveTheCacheAreReadByPosition() throws IOException {
    List<String> all = rows(pread(true));
    List<StoreFileScanner> scanners = List.of(stream(), stream());
    assertThat(spared()).isEqualTo(2);
    for (StoreFileScanner scanner : scanners) {
      scanner.seek(KeyValue.LOWESTKEY);
    }
    evict();
    for (StoreFileScanner scanner : scanners) {
      try (scanner) {
        assertThat(rest(scanner)).isEqualTo(all);
      }
    }
  }

  @Test
  void bytesReadFromTheCacheAreCountedAsByHBase() throws IOException {
    HStoreFile stock =
        new HStoreFile(
            regions.stockFile(region),
            BloomType.NONE,
            new CacheConfig(regions.conf(), null, cache, ByteBuffAllocator.HEAP));
    stock.initReader();
    try {
      List<String> all = rows(pread(true));
      ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(true);
      List<Long> counted = new ArrayList<>();
      for (HStoreFile each : List.of(stock, file)) {
        // It runs twice, because the offset of a block is learned first.
        for (int time = 0; time < 2; time++) {
          ThreadLocalServerSideScanMetrics.getBytesReadFromBlockCacheAndReset();
          assertThat(rows(each.getPreadScanner(true, Long.MAX_VALUE, 0, false))).isEqualTo(all);
          counted.add(ThreadLocalServerSideScanMetrics.getBytesReadFromBlockCacheAndReset());
        }
      }
      assertThat(counted.get(0)).isGreaterThan(2 * 64 * 1024);
      assertThat(counted).containsOnly(counted.get(0));
    } finally {
      ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(false);
      stock.closeStoreFile(false);
    }
  }
}
