package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hbase.thirdparty.com.google.common.collect.ImmutableCollection;

/** A store whose scans forwards are {@link LeanStoreScanner}s. As safe as the class above it. */
final class LeanStore extends HStore {
  LeanStore(HRegion region, ColumnFamilyDescriptor family, Configuration conf, boolean warmup)
      throws IOException {
    super(region, family, conf, warmup);
  }

  @Override
  protected KeyValueScanner createScanner(
      Scan scan, ScanInfo info, NavigableSet<byte[]> columns, long readPoint) throws IOException {
    return scan.isReversed()
        ? super.createScanner(scan, info, columns, readPoint)
        : new LeanStoreScanner(this, info, scan, columns, readPoint);
  }

  /** Also sees to it that a compacted file is closed which a scanner still reads. */
  @Override
  public ImmutableCollection<HStoreFile> close() throws IOException {
    List<HStoreFile> compacted = List.copyOf(getCompactedFiles());
    ImmutableCollection<HStoreFile> closed = super.close();
    for (HStoreFile file : compacted) {
      StoreFileReader reader = file.getReader();
      if (reader != null && file.getFileInfo() instanceof OffHeapStoreFileInfo info) {
        info.closeWhenUnread(reader);
      }
    }
    return closed;
  }
}
