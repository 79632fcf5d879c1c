package org.fastpath.metrics.region;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALFactory;

/** Real regions of HBase on the local file system, without a RegionServer and without a WAL. */
final class LocalRegions implements AutoCloseable {
  /** Larger batches are done in several steps. */
  static final int MINI_BATCH = 10;

  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private final Path directory;
  private final Configuration configuration = HBaseConfiguration.create();
  private final WALFactory wals;
  private final List<HRegion> opened = new ArrayList<>();

  LocalRegions(Path directory) throws IOException {
    this.directory = directory;
    configuration.setBoolean(WALFactory.WAL_ENABLED, false);
    // Its pool of memory is the RegionServer's.
    configuration.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    configuration.setInt("hbase.regionserver.minibatch.size", MINI_BATCH);
    wals = new WALFactory(configuration, "test");
  }

  /** A region of a table, named by the row it begins with, that is not open yet. */
  @SafeVarargs
  final HRegion create(
      String table, String startRow, Class<? extends RegionCoprocessor>... coprocessors)
      throws IOException {
    TableName name = TableName.valueOf(table);
    RegionInfo info =
        RegionInfoBuilder.newBuilder(name).setStartKey(Bytes.toBytes(startRow)).build();
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    HRegion region =
        HRegion.createHRegion(
            info,
            new org.apache.hadoop.fs.Path(directory.toUri()),
            configuration,
            descriptor,
            wals.getWAL(info),
            false);
    load(region, coprocessors);
    opened.add(region);
    return region;
  }

  /** As HBase does when the list of coprocessors has changed. */
  @SafeVarargs
  final void load(HRegion region, Class<? extends RegionCoprocessor>... coprocessors)
      throws IOException {
    RegionCoprocessorHost host = new RegionCoprocessorHost(region, null, configuration);
    for (Class<? extends RegionCoprocessor> coprocessor : coprocessors) {
      host.load(coprocessor, 0, configuration);
    }
    region.setCoprocessorHost(host);
  }

  /** Returns a region that is open. */
  @SafeVarargs
  @SuppressWarnings("deprecation")
  final HRegion open(
      String table, String startRow, Class<? extends RegionCoprocessor>... coprocessors)
      throws IOException {
    HRegion region = create(table, startRow, coprocessors);
    region.initialize();
    return region;
  }

  static String nameOf(HRegion region) {
    return region.getRegionInfo().getEncodedName();
  }

  static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v"));
  }

  static Delete delete(String row) {
    return new Delete(Bytes.toBytes(row));
  }

  static Get get(String row) {
    return new Get(Bytes.toBytes(row));
  }

  @Override
  public void close() throws IOException {
    for (HRegion region : opened) {
      region.close(true);
    }
    wals.close();
  }
}
