package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * A region whose scans spend less on what surrounds the reading of files, where these are read by
 * the off-heap reader. Put in by {@link OffHeapCacheRegionServer}, or by a class name in {@code
 * hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.hregion.impl = org.apache.hadoop.hbase.regionserver.OffHeapReadRegion
 * }</pre>
 *
 * <p>What is different is in {@link LeanRegionScanner} and {@link LeanStoreScanner}. A store that
 * the reader does not read is HBase's own, and so is a region of none but such stores. A scan
 * backwards is HBase's own but for {@link LeanReversedScanner}. In this package because it
 * overrides methods that only this package sees.
 */
public class OffHeapReadRegion extends HRegion implements LeanRegion {
  private final LeanScans lean = new LeanScans();

  /** For HBase, which looks for this signature. */
  public OffHeapReadRegion(
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
    return lean.applyTo(this, family)
        ? new LeanStore(this, family, conf, warmup)
        : super.instantiateHStore(family, warmup);
  }

  @Override
  protected RegionScannerImpl instantiateRegionScanner(
      Scan scan, List<KeyValueScanner> additional, long nonceGroup, long nonce) throws IOException {
    LeanRegionScanner prepared = InlineRead.take(this);
    if (prepared != null) {
      return prepared;
    }
    RegionScannerImpl own = lean.scanner(this, scan, additional, nonceGroup, nonce);
    return own == null ? super.instantiateRegionScanner(scan, additional, nonceGroup, nonce) : own;
  }

  @Override
  public LeanScans leanScans() {
    return lean;
  }
}
