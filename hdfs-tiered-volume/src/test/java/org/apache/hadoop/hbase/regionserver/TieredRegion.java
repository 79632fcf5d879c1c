package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.wal.WAL;
import org.fastpath.tiered.regionserver.TieredTests;

/**
 * A region whose stores follow rules from their beginning. Tests of HBase's make regions without a
 * server, and those have no coprocessors.
 */
public class TieredRegion extends HRegion {
  /** For HBase, which looks for this signature. */
  public TieredRegion(
      Path tableDirectory,
      WAL wal,
      FileSystem fileSystem,
      Configuration configuration,
      RegionInfo region,
      TableDescriptor table,
      RegionServerServices server) {
    super(tableDirectory, wal, fileSystem, configuration, region, table, server);
  }

  @Override
  protected HStore instantiateHStore(ColumnFamilyDescriptor family, boolean warmup)
      throws IOException {
    HStore store = super.instantiateHStore(family, warmup);
    if (!getRegionInfo().getTable().isSystemTable()) {
      TieredTests.attach(store);
    }
    return store;
  }
}
