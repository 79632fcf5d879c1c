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
 * A region whose scans and gets spend less CPU time outside of the file reads if the off-heap
 * reader reads its files. {@link OffHeapCacheRegionServer} installs it. An operator can also name
 * it in {@code hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.hregion.impl = org.apache.hadoop.hbase.regionserver.OffHeapReadRegion
 * }</pre>
 *
 * <p>{@link LeanRegionScanner} and {@link LeanStoreScanner} contain the differences. A store that
 * the reader does not read stays HBase's own, and so does a region of only such stores. A reversed
 * scan is HBase's own except for {@link LeanReversedScanner}. The class is in this package because
 * it overrides package-private methods.
 */
public class OffHeapReadRegion extends HRegion implements LeanRegion {
  private final ScanFastPath lean = new ScanFastPath();

  /** Called by HBase, which looks for this signature. */
  public OffHeapReadRegion(
      Path tableDirectory,
      WAL wal,
      FileSystem fileSystem,
      Configuration configuration,
      RegionInfo region,
      TableDescriptor table,
      RegionServerServices server) {
    super(tableDirectory, wal, fileSystem, configuration, region, table, server);
    LeanCoprocessorHost.install(this, conf);
  }

  /** HBase loads the coprocessors again if their configuration changes. */
  @Override
  public void onConfigurationChange(Configuration changed) {
    super.onConfigurationChange(changed);
    LeanCoprocessorHost.install(this, changed);
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
  public ScanFastPath scanFastPath() {
    return lean;
  }
}
