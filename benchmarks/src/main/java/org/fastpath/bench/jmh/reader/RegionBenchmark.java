package org.fastpath.bench.jmh.reader;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.fastpath.offheap.cache.OffHeapBlockCache;
import org.fastpath.offheap.reader.ReaderSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reads rows of a region with one cached file, like a RegionServer. An operation is a row of a long
 * scan, a get, or a scan of ten rows. Values have 100 B.
 *
 * <p>{@code bin/fastpath bench RegionBenchmark --millis 500 --rounds 6}
 */
@Sides.Worlds(World.OFF_HEAP)
@Sides.Variants(
    param = "reader",
    candidate = "ours",
    legend = {
      "stock=HBase's scanners on blocks of the off-heap cache",
      "before=an earlier build of the off-heap reader, which --before names",
      "ours=the off-heap reader with lean scans, on the same blocks"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RegionBenchmark {
  /** The rows of an answer to a request. */
  private static final int ROWS = 100;

  private static final int VALUE = 100;

  @Param({"stock", Sides.Variants.BEFORE, "ours"})
  public String reader;

  @Param({"1", "10"})
  public int columns;

  /** All columns of a row, or one by its name. */
  @Param({"all", "named"})
  public String selected;

  /** The number of cells. */
  @Param("400000")
  public int cells;

  private final Random random = new Random(VALUE);
  private final List<Cell> row = new ArrayList<>();
  private byte[][] keys;
  private BlockCache cache;
  private Path root;
  private WALFactory wals;
  private HRegion region;
  private RegionScanner scanner;

  /** Writes and flushes the table, and caches it by a scan. */
  @Setup
  public void open() throws IOException {
    World.confirmCurrent();
    root = new Path(Files.createTempDirectory("region").toUri());
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.setBoolean(WALFactory.WAL_ENABLED, false);
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    conf.set(CachedRows.SIZE, "256m");
    if (!reader.equals("stock")) {
      conf.setBoolean(CachedRows.READER, true);
      ReaderSupport.prepared(conf);
    }
    cache = CachedRows.behindFirstLevel(OffHeapBlockCache.create(conf), conf);
    RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("rows")).build();
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(info.getTable());
    table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(RowFile.FAMILY));
    wals = new WALFactory(conf, "region");
    region = HRegion.createHRegion(info, root, conf, table.build(), wals.getWAL(info), false);
    region.setBlockCache(cache);
    // As on a server. Our region replaces HBase's host in the second call.
    region.setCoprocessorHost(new RegionCoprocessorHost(region, null, conf));
    region.onConfigurationChange(conf);
    region.initialize();
    write();
    scanner = region.getScanner(select(new Scan()));
    while (row(scanner) > 0) {}
  }

  private void write() throws IOException {
    keys = RowFile.Keys.YCSB.present(cells / columns);
    for (byte[] key : keys) {
      Put put = new Put(key);
      for (int column = 0; column < columns; column++) {
        put.addColumn(RowFile.FAMILY, RowFile.qualifier(column), new byte[VALUE]);
      }
      region.put(put);
    }
    region.flush(true);
  }

  private Scan select(Scan scan) {
    return selected.equals("all")
        ? scan.addFamily(RowFile.FAMILY)
        : scan.addColumn(RowFile.FAMILY, RowFile.qualifier(columns / 2));
  }

  /** Reads a row. Returns the number of cells. */
  private int row(RegionScanner from) throws IOException {
    row.clear();
    from.nextRaw(row);
    return row.size();
  }

  private int request(Scan scan, int rows) throws IOException {
    int found = 0;
    try (RegionScanner own = region.getScanner(scan)) {
      for (int i = 0; i < rows; i++) {
        found += row(own);
      }
    }
    return found;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int nextRow() throws IOException {
    int found = 0;
    for (int i = 0; i < ROWS; i++) {
      found += row(scanner);
      if (row.isEmpty()) {
        scanner.close();
        scanner = region.getScanner(select(new Scan()));
      }
    }
    ((Shipper) scanner).shipped();
    return found;
  }

  @Benchmark
  public int get() throws IOException {
    Get get = new Get(keys[random.nextInt(keys.length)]).addFamily(RowFile.FAMILY);
    if (selected.equals("named")) {
      get.addColumn(RowFile.FAMILY, RowFile.qualifier(columns / 2));
    }
    row.clear();
    return region.getCoprocessorHost().preGet(get, row) ? row.size() : request(new Scan(get), 1);
  }

  @Benchmark
  public int shortScan() throws IOException {
    byte[] first = keys[random.nextInt(keys.length)];
    return request(select(new Scan().withStartRow(first)), 10);
  }

  @TearDown
  public void close() throws IOException {
    scanner.close();
    region.close();
    wals.close();
    cache.shutdown();
    root.getFileSystem(HBaseConfiguration.create()).delete(root, true);
  }
}
