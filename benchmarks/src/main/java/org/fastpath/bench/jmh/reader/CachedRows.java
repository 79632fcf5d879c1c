package org.fastpath.bench.jmh.reader;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
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
import org.fastpath.offheap.reader.Scanners;

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
  private final Supplier<HFileScanner> scanners;

  /** Writes and caches a file; {@code variant} is the reader, stock or ours. */
  CachedRows(RowFile.Shape shape, String variant) throws IOException {
    if (!Set.of("stock", "ours").contains(variant)) {
      throw new IllegalArgumentException("reader is stock or ours, not " + variant);
    }
    file = new RowFile(shape);
    configuration.setLong(SIZE, Math.max(LEAST, (long) (shape.bytes() * ROOM)));
    configuration.setBoolean(READER, variant.equals("ours"));
    OffHeapBlockCache data = OffHeapBlockCache.create(configuration);
    cache = behindFirstLevel(data, configuration);
    reader = file.open(new CacheConfig(configuration, cache));
    scanners = scanners(variant);
    readAll(stockScanner());
    requireAllCached(data);
  }

  static BlockCache behindFirstLevel(OffHeapBlockCache data, Configuration configuration) {
    return ServerCaches.combined(
        new LruBlockCache(FIRST_LEVEL, HConstants.DEFAULT_BLOCKSIZE, configuration), data);
  }

  /** Opens a scanner of HBase like gets: through the cache, by position. */
  private HFileScanner stockScanner() {
    return reader.getScanner(configuration, true, true, false);
  }

  private Supplier<HFileScanner> scanners(String variant) {
    if (variant.equals("stock")) {
      return this::stockScanner;
    }
    Scanners ours = new Scanners(reader, configuration);
    return () -> ours.open(true, true, false);
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
    HFileScanner stock = stockScanner();
    HFileScanner measured = scanner();
    boolean more = stock.seekTo();
    require(measured.seekTo() == more, "only one of the readers finds a first cell");
    for (; more; more = stock.next()) {
      require(
          CellUtil.equals(stock.getCell(), measured.getCell()),
          measured.getCell() + " is not " + stock.getCell());
      require(CellUtil.matchingValue(stock.getCell(), measured.getCell()), "values differ");
      measured.next();
      stock.shipped();
      measured.shipped();
    }
    stock.close();
    measured.close();
    require(cache.getStats().getMissCount() == missesBefore, "not all blocks are cached");
    require(data.getBlockCount() > 0, "data is not in the off-heap cache");
  }

  private static void require(boolean isSo, String otherwise) {
    if (!isSo) {
      throw new IllegalStateException(otherwise);
    }
  }

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
