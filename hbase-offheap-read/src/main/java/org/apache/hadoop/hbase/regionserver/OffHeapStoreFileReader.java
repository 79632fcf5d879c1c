package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.SortedSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.reader.ReaderMetrics.OpenFile;
import org.fastpath.offheap.reader.ReaderSupport;
import org.fastpath.offheap.reader.Scanners;

/** A reader of a whole file; {@link Scanners} opens its scanners. Thread-safe. */
final class OffHeapStoreFileReader extends StoreFileReader {
  private final OpenFile open;
  private final Scanners scanners;
  private final boolean preadOnly;

  OffHeapStoreFileReader(ReaderContext context, CacheConfig cacheConf, StoreFileInfo file)
      throws IOException {
    super(context, file.getHFileInfo(), cacheConf, file, file.getConf());
    open = new OpenFile(context);
    scanners = new Scanners(getHFileReader(), conf);
    scanners.prepare();
    preadOnly = OffHeapStoreFileStreams.areShared(context);
  }

  @Override
  public HFileScanner getScanner(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    return scanners.open(cacheBlocks, pread || preadOnly, isCompaction);
  }

  @Override
  public StoreFileScanner getStoreFileScanner(
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      long readPoint,
      long order,
      boolean canOptimizeForNonNullColumn) {
    return isCompaction || !ReaderSupport.scanFastPath()
        ? super.getStoreFileScanner(
            cacheBlocks, pread, isCompaction, readPoint, order, canOptimizeForNonNullColumn)
        : new LeanFileScanner(
            this,
            getScanner(cacheBlocks, pread, false),
            readPoint,
            order,
            canOptimizeForNonNullColumn);
  }

  @Override
  boolean passesBloomFilter(Scan scan, SortedSet<byte[]> columns) {
    try {
      return super.passesBloomFilter(scan, columns);
    } catch (MemoryOnly.Miss e) {
      return MemoryOnly.mayContain();
    }
  }

  @Override
  public boolean passesGeneralRowColBloomFilter(Cell cell) {
    try {
      return super.passesGeneralRowColBloomFilter(cell);
    } catch (MemoryOnly.Miss e) {
      return MemoryOnly.mayContain();
    }
  }

  @Override
  public boolean passesDeleteFamilyBloomFilter(byte[] row, int offset, int length) {
    try {
      return super.passesDeleteFamilyBloomFilter(row, offset, length);
    } catch (MemoryOnly.Miss e) {
      return MemoryOnly.mayContain();
    }
  }

  @Override
  public void close(boolean evictOnClose) throws IOException {
    open.close();
    scanners.close();
    super.close(evictOnClose);
  }
}
