package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.HalfFileBlocks;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.fastpath.offheap.reader.HalfFileScanner;
import org.fastpath.offheap.reader.ReaderMetrics.OpenFile;
import org.fastpath.offheap.reader.Scanners;

/**
 * A reader of a reference, which is half of a file of the region that was split. A close with
 * eviction releases the blocks that it reads for the eviction, unlike HBase's reader. Thread-safe.
 */
final class OffHeapHalfStoreFileReader extends HalfStoreFileReader {
  private final OpenFile open;
  private final Scanners scanners;
  private final Optional<BlockCache> cache;
  private final Cell split;

  OffHeapHalfStoreFileReader(ReaderContext context, CacheConfig cacheConf, StoreFileInfo file)
      throws IOException {
    super(context, file.getHFileInfo(), cacheConf, file.getReference(), file, file.getConf());
    open = new OpenFile(context);
    scanners = new Scanners(getHFileReader(), conf);
    cache = cacheConf.getBlockCache();
    split = new KeyValue.KeyOnlyKeyValue(splitkey, 0, splitkey.length);
  }

  @Override
  public HFileScanner getScanner(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    HFileScanner whole = scanners.open(cacheBlocks, pread, isCompaction);
    return new HalfFileScanner(whole, isTop(), split, this::getFirstKey);
  }

  @Override
  public void close(boolean evictOnClose) throws IOException {
    try {
      if (open.close() && evictOnClose && cache.isPresent()) {
        HalfFileBlocks.evict(cache.get(), getHFileReader(), conf, isTop(), split);
      }
    } finally {
      scanners.close();
      super.close(false);
    }
  }
}
