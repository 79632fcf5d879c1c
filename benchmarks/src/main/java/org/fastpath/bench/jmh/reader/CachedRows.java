package org.fastpath.bench.jmh.reader;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.fastpath.offheap.cache.OffHeapBlockCache;
import org.fastpath.offheap.cache.ServerCaches;

/**
 * A {@link RowFile} whose blocks are all in a RegionServer's cache: indexes in an LRU cache on the
 * heap, data in the off-heap cache. Both readers use the same kind of cache. Only for ours, block
 * indexes are behind the blocks.
 */
final class CachedRows implements Closeable {
  static final String SIZE = "hbase.fastpath.offheap-cache.size";
  static final String READER = "hbase.fastpath.offheap-reader.enabled";
  private static final long FIRST_LEVEL = 64L << 20;

  private static final long LEAST = 16L << 20;

  /** The cache's size in multiples of the file: room for indexes and uneven block sizes. */
  private static final double ROOM = 1.5;

  private final Configuration configuration = HBaseConfiguration.create();
  private final RowFile file;
  private final BlockCache cache;
  private final HFile.Reader reader;
  private final Supplier<HFileScanner> stockScanners;
  private final Supplier<HFileScanner> scanners;

  CachedRows(RowFile.Shape shape, ReaderVariant variant) throws IOException {
    file = new RowFile(shape);
    configuration.setLong(SIZE, Math.max(LEAST, (long) (shape.bytes() * ROOM)));
    configuration.setBoolean(READER, variant == ReaderVariant.OURS);
    OffHeapBlockCache data = OffHeapBlockCache.create(configuration);
    cache =
        ServerCaches.combined(
            new LruBlockCache(FIRST_LEVEL, HConstants.DEFAULT_BLOCKSIZE, configuration), data);
    reader = file.open(new CacheConfig(configuration, cache));
    stockScanners = ReaderVariant.STOCK.scanners(reader, configuration);
    scanners = variant.scanners(reader, configuration);
    readAll(stockScanners.get());
    requireAllCached(data);
  }

  private void readAll(HFileScanner scanner) throws IOException {
    long cells = 0;
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      cells++;
    }
    scanner.close();
    require(cells == file.cells(), cells + " cells of " + file.cells());
  }

  /** Reads again by both readers in parallel; the cache must have no miss. */
  private void requireAllCached(OffHeapBlockCache data) throws IOException {
    long missesBefore = cache.getStats().getMissCount();
    HFileScanner stock = stockScanners.get();
    HFileScanner measured = scanner();
    boolean more = stock.seekTo();
    require(measured.seekTo() == more, "only one of the readers finds a first cell");
    for (; more; more = stock.next()) {
      require(
          CellUtil.equals(stock.getCell(), measured.getCell()),
          measured.getCell() + " is not " + stock.getCell());
      require(CellUtil.matchingValue(stock.getCell(), measured.getCell()), "values differ");
      measured.next();
      shipped(stock, measured);
    }
    stock.close();
    measured.close();
    require(cache.getStats().getMissCount() == missesBefore, "not all blocks are cached");
    require(data.getBlockCount() > 0, "data is not in the off-heap cache");
  }

  private static void shipped(HFileScanner... scanners) throws IOException {
    for (HFileScanner scanner : scanners) {
      scanner.shipped();
    }
  }

  private static void require(boolean isSo, String otherwise) {
    if (!isSo) {
      throw new IllegalStateException(otherwise);
    }
  }

  /** Returns the rows in their order. */
  byte[][] rows() {
    return file.rows();
  }

  /** Opens another scanner of the measured variant. */
  HFileScanner scanner() {
    return scanners.get();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    cache.shutdown();
    file.close();
  }
}
