package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.fastpath.offheap.reader.HalfFileScanner;
import org.fastpath.offheap.reader.ReaderMetrics.OpenFile;
import org.fastpath.offheap.reader.Scanners;

/**
 * A reader of a reference, which is half of a file of the region that was split. Closing it with
 * eviction is HBase's own, by a scanner of HBase's. Safe from any thread.
 */
final class OffHeapHalfStoreFileReader extends HalfStoreFileReader {
  private final OpenFile open;
  private final Scanners scanners;
  private final Cell split;

  OffHeapHalfStoreFileReader(ReaderContext context, CacheConfig cacheConf, StoreFileInfo file)
      throws IOException {
    super(context, file.getHFileInfo(), cacheConf, file.getReference(), file, file.getConf());
    open = new OpenFile(context);
    scanners = new Scanners(getHFileReader(), conf);
    split = new KeyValue.KeyOnlyKeyValue(splitkey, 0, splitkey.length);
  }

  @Override
  public HFileScanner getScanner(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    HFileScanner whole = scanners.open(cacheBlocks, pread, isCompaction);
    return new HalfFileScanner(whole, isTop(), split, this::getFirstKey);
  }

  @Override
  public void close(boolean evictOnClose) throws IOException {
    open.close();
    super.close(evictOnClose);
  }
}
