package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.mob.MobFileCache;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;

/** Creates regions in this JVM, without servers, on the local file system. Not thread-safe. */
final class LocalRegions implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private final Configuration conf = HBaseConfiguration.create();
  private final List<HRegion> open = new ArrayList<>();
  private final Path root;
  private final WALFactory wals;
  private BlockCache cache;

  LocalRegions(java.nio.file.Path directory) throws IOException {
    root = new Path(directory.toUri());
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.set(
        StoreEngine.STORE_ENGINE_CLASS_KEY,
        "org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine");
    conf.setBoolean(WALFactory.WAL_ENABLED, false);
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    wals = new WALFactory(conf, "local");
  }

  Configuration conf() {
    return conf;
  }

  Path root() {
    return root;
  }

  /** Sets the cache of regions that are created or opened from now on. */
  void cache(BlockCache shared) {
    cache = shared;
  }

  static TableDescriptorBuilder table(String name) {
    return table(name, ColumnFamilyDescriptorBuilder.of(FAMILY));
  }

  static TableDescriptorBuilder table(String name, ColumnFamilyDescriptor family) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name)).setColumnFamily(family);
  }

  HRegion create(TableDescriptor table) throws IOException {
    return create(table, RegionInfoBuilder.newBuilder(table.getTableName()).build());
  }

  HRegion create(TableDescriptor table, RegionInfo info) throws IOException {
    return initialized(HRegion.createHRegion(info, root, conf, table, wals.getWAL(info), false));
  }

  /** Closes a region and opens it again. */
  HRegion reopen(HRegion region) throws IOException {
    return alter(region, region.getTableDescriptor());
  }

  /** Reopens a region with another description of its table. */
  HRegion alter(HRegion region, TableDescriptor table) throws IOException {
    region.close();
    return open(region.getRegionInfo(), table);
  }

  private HRegion open(RegionInfo info, TableDescriptor table) throws IOException {
    Path directory = CommonFSUtils.getTableDir(root, table.getTableName());
    return initialized(
        HRegion.newHRegion(
            directory, wals.getWAL(info), root.getFileSystem(conf), conf, info, table, null));
  }

  private HRegion initialized(HRegion region) throws IOException {
    region.setBlockCache(cache);
    region.setMobFileCache(new MobFileCache(conf));
    region.initialize();
    open.add(region);
    return region;
  }

  /** Creates a region with a row for each number below {@code rows}, flushed into one file. */
  HRegion createWithRows(TableDescriptor table, int rows) throws IOException {
    HRegion region = create(table);
    for (int row = 0; row < rows; row++) {
      region.put(new Put(row(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(row)));
    }
    region.flush(true);
    return region;
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%06d", number));
  }

  /** Splits a region at a row. The halves refer to the region's files. */
  List<HRegion> split(HRegion region, byte[] row) throws IOException {
    TableName table = region.getTableDescriptor().getTableName();
    List<HRegion> halves = new ArrayList<>();
    for (RegionInfo daughter :
        List.of(
            RegionInfoBuilder.newBuilder(table).setEndKey(row).build(),
            RegionInfoBuilder.newBuilder(table).setStartKey(row).build())) {
      for (HStoreFile file : region.getStore(FAMILY).getStorefiles()) {
        if (hasRowsOf(daughter, file)) {
          refer(daughter, region.getRegionInfo(), file, row);
        }
      }
      halves.add(open(daughter, region.getTableDescriptor()));
    }
    return halves;
  }

  /**
   * Returns whether HBase would refer to the file; it does not if all rows are in the other half.
   */
  private static boolean hasRowsOf(RegionInfo daughter, HStoreFile file) {
    byte[] first = CellUtil.cloneRow(file.getFirstKey().orElseThrow());
    byte[] last = CellUtil.cloneRow(file.getLastKey().orElseThrow());
    return daughter.containsRow(first) || daughter.containsRow(last);
  }

  private void refer(RegionInfo daughter, RegionInfo parent, HStoreFile file, byte[] row)
      throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    Path table = CommonFSUtils.getTableDir(root, daughter.getTable());
    Path family = new Path(new Path(table, daughter.getEncodedName()), Bytes.toString(FAMILY));
    Reference reference =
        daughter.getStartKey().length == 0
            ? Reference.createBottomReference(row)
            : Reference.createTopReference(row);
    reference.write(fs, new Path(family, file.getPath().getName() + "." + parent.getEncodedName()));
  }

  static List<HStoreFile> files(HRegion region) {
    return List.copyOf(region.getStore(FAMILY).getStorefiles());
  }

  /** Opens HBase's own reader of the region's one file, which the caller closes. */
  StoreFileReader stockReader(HRegion region) throws IOException {
    HStore store = region.getStore(FAMILY);
    HStoreFile opened = new HStoreFile(stockFile(region), BloomType.NONE, store.getCacheConfig());
    opened.initReader();
    return opened.getReader();
  }

  /** Returns HBase's own object of the region's one file. */
  StoreFileInfo stockFile(HRegion region) throws IOException {
    return StoreFileTrackerFactory.create(conf, true, region.getStore(FAMILY).getStoreContext())
        .getStoreFileInfo(files(region).get(0).getPath(), true);
  }

  @Override
  public void close() throws IOException {
    for (HRegion region : open) {
      region.close();
    }
    wals.close();
  }
}
