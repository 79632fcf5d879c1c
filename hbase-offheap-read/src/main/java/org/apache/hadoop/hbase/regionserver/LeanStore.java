package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.ReflectionUtils;
import org.apache.hbase.thirdparty.com.google.common.collect.ImmutableCollection;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * A store whose forward scans are {@link LeanStoreScanner}s. Its engine attaches the off-heap
 * reader even if its table names another engine. As thread-safe as its superclass.
 */
final class LeanStore extends HStore {
  /** A row that HBase must read after all is looked at twice. */
  private static final int COST_OF_REFUSED_ROW = 2;

  private final Tries plainRows = new Tries(COST_OF_REFUSED_ROW);

  /** Of scans with filters, for which fewer rows are plain. */
  private final Tries filteredRows = new Tries(COST_OF_REFUSED_ROW);

  LeanStore(HRegion region, ColumnFamilyDescriptor family, Configuration conf, boolean warmup)
      throws IOException {
    super(region, family, conf, warmup);
  }

  /** Creates the engine. The superclass's constructor calls this method. */
  @Override
  protected StoreEngine<?, ?, ?, ?> createStoreEngine(
      HStore store, Configuration storeConf, CellComparator comparator) throws IOException {
    Optional<String> ours = ReaderSupport.engineFor(storeConf);
    if (ours.isEmpty()) {
      return super.createStoreEngine(store, storeConf, comparator);
    }
    StoreEngine<?, ?, ?, ?> engine = ReflectionUtils.newInstance(ours.get());
    engine.createComponentsOnce(storeConf, store, comparator);
    return engine;
  }

  @Override
  protected KeyValueScanner createScanner(
      Scan scan, ScanInfo info, NavigableSet<byte[]> columns, long readPoint) throws IOException {
    return scan.isReversed()
        ? super.createScanner(scan, info, columns, readPoint)
        : new LeanStoreScanner(this, info, scan, columns, readPoint);
  }

  /** Returns the tries to read plain rows at once, of all scans with or without filters. */
  Tries plainRows(boolean filtered) {
    return filtered ? filteredRows : plainRows;
  }

  /** Counts a row. A row that is read ahead is counted when HBase gets it. */
  @Override
  void updateMetricsStore(boolean memstoreRead) {
    if (!StoreReads.keep(this, memstoreRead)) {
      super.updateMetricsStore(memstoreRead);
    }
  }

  /**
   * Closes the store. If a scanner still reads a compacted file, that file is closed after the
   * scanner.
   */
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
