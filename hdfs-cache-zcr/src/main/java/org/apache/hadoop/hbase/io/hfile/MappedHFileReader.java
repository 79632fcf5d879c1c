package org.apache.hadoop.hbase.io.hfile;

import java.io.DataInput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.fastpath.zcr.hbase.MappedFile;

/**
 * A reader of HBase's whose data blocks are taken from mappings where they are mapped, before any
 * cache is looked into and without putting them there. Compactions, prefetching, indexes and Bloom
 * filters are the reader's own, and so is every block that is not mapped.
 *
 * <p>As safe as what it stands in front of, which it owns.
 */
public final class MappedHFileReader implements HFile.Reader {
  private final HFile.Reader stock;
  private final MappedFile mapped;

  public MappedHFileReader(HFile.Reader stock, MappedFile mapped) {
    this.stock = stock;
    this.mapped = mapped;
  }

  @Override
  public HFileBlock readBlock(
      long offset,
      long onDiskBlockSize,
      boolean cacheBlock,
      boolean pread,
      boolean isCompaction,
      boolean updateCacheMetrics,
      BlockType expectedBlockType,
      DataBlockEncoding expectedDataBlockEncoding)
      throws IOException {
    return readBlock(
        offset,
        onDiskBlockSize,
        cacheBlock,
        pread,
        isCompaction,
        updateCacheMetrics,
        expectedBlockType,
        expectedDataBlockEncoding,
        false);
  }

  @Override
  public HFileBlock readBlock(
      long offset,
      long onDiskBlockSize,
      boolean cacheBlock,
      boolean pread,
      boolean isCompaction,
      boolean updateCacheMetrics,
      BlockType expectedBlockType,
      DataBlockEncoding expectedDataBlockEncoding,
      boolean cacheOnly)
      throws IOException {
    boolean mayBeMapped = !isCompaction && !cacheOnly && isForData(offset, expectedBlockType);
    HFileBlock block = mayBeMapped ? mapped.dataBlock(offset, onDiskBlockSize) : null;
    if (block == null) {
      return stock.readBlock(
          offset,
          onDiskBlockSize,
          cacheBlock,
          pread,
          isCompaction,
          updateCacheMetrics,
          expectedBlockType,
          expectedDataBlockEncoding,
          cacheOnly);
    }
    count(block, updateCacheMetrics);
    return block;
  }

  private boolean isForData(long offset, BlockType expected) {
    return (expected == null || expected.isData())
        && offset >= 0
        && offset < stock.getTrailer().getLoadOnOpenDataOffset();
  }

  /** Counts it as read, and neither as a hit nor as a miss: no cache was asked. */
  private static void count(HFileBlock block, boolean updateMetrics) {
    if (updateMetrics) {
      HFile.DATABLOCK_READ_COUNT.increment();
    }
    if (ThreadLocalServerSideScanMetrics.isScanMetricsEnabled()) {
      ThreadLocalServerSideScanMetrics.addBytesReadFromFs(block.getOnDiskSizeWithHeader());
      ThreadLocalServerSideScanMetrics.addBlockReadOpsCount(1);
    }
  }

  @Override
  public HFileScanner getScanner(Configuration conf, boolean cacheBlocks, boolean pread) {
    return getScanner(conf, cacheBlocks, pread, false);
  }

  @Override
  public HFileScanner getScanner(
      Configuration conf, boolean cacheBlocks, boolean pread, boolean isCompaction) {
    return getDataBlockEncoding() == DataBlockEncoding.NONE
        ? new MappedScanner(this, cacheBlocks, pread, isCompaction)
        : new MappedEncodedScanner(this, cacheBlocks, pread, isCompaction, conf);
  }

  @Override
  public void close() throws IOException {
    mapped.close();
    stock.close();
  }

  @Override
  public void close(boolean evictOnClose) throws IOException {
    mapped.close();
    stock.close(evictOnClose);
  }

  // The rest is the stock reader's.

  @Override
  public String getName() {
    return stock.getName();
  }

  @Override
  public CellComparator getComparator() {
    return stock.getComparator();
  }

  @Override
  public HFileBlock getMetaBlock(String name, boolean cacheBlock) throws IOException {
    return stock.getMetaBlock(name, cacheBlock);
  }

  @Override
  public Optional<Cell> getLastKey() {
    return stock.getLastKey();
  }

  @Override
  public Optional<Cell> midKey() throws IOException {
    return stock.midKey();
  }

  @Override
  public long length() {
    return stock.length();
  }

  @Override
  public long getEntries() {
    return stock.getEntries();
  }

  @Override
  public Optional<Cell> getFirstKey() {
    return stock.getFirstKey();
  }

  @Override
  public long indexSize() {
    return stock.indexSize();
  }

  @Override
  public Optional<byte[]> getFirstRowKey() {
    return stock.getFirstRowKey();
  }

  @Override
  public Optional<byte[]> getLastRowKey() {
    return stock.getLastRowKey();
  }

  @Override
  public FixedFileTrailer getTrailer() {
    return stock.getTrailer();
  }

  @Override
  public void setDataBlockIndexReader(HFileBlockIndex.CellBasedKeyBlockIndexReader reader) {
    stock.setDataBlockIndexReader(reader);
  }

  @Override
  public HFileBlockIndex.CellBasedKeyBlockIndexReader getDataBlockIndexReader() {
    return stock.getDataBlockIndexReader();
  }

  @Override
  public void setMetaBlockIndexReader(HFileBlockIndex.ByteArrayKeyBlockIndexReader reader) {
    stock.setMetaBlockIndexReader(reader);
  }

  @Override
  public HFileBlockIndex.ByteArrayKeyBlockIndexReader getMetaBlockIndexReader() {
    return stock.getMetaBlockIndexReader();
  }

  @Override
  public DataInput getGeneralBloomFilterMetadata() throws IOException {
    return stock.getGeneralBloomFilterMetadata();
  }

  @Override
  public DataInput getDeleteBloomFilterMetadata() throws IOException {
    return stock.getDeleteBloomFilterMetadata();
  }

  @Override
  public Path getPath() {
    return stock.getPath();
  }

  @Override
  public DataBlockEncoding getDataBlockEncoding() {
    return stock.getDataBlockEncoding();
  }

  @Override
  public boolean hasMVCCInfo() {
    return stock.hasMVCCInfo();
  }

  @Override
  public HFileContext getFileContext() {
    return stock.getFileContext();
  }

  @Override
  public boolean isPrimaryReplicaReader() {
    return stock.isPrimaryReplicaReader();
  }

  @Override
  public DataBlockEncoding getEffectiveEncodingInCache(boolean isCompaction) {
    return stock.getEffectiveEncodingInCache(isCompaction);
  }

  @Override
  public HFileBlock.FSReader getUncachedBlockReader() {
    return stock.getUncachedBlockReader();
  }

  @Override
  public boolean prefetchComplete() {
    return stock.prefetchComplete();
  }

  @Override
  public boolean prefetchStarted() {
    return stock.prefetchStarted();
  }

  @Override
  public void unbufferStream() {
    stock.unbufferStream();
  }

  @Override
  public ReaderContext getContext() {
    return stock.getContext();
  }

  @Override
  public HFileInfo getHFileInfo() {
    return stock.getHFileInfo();
  }

  @Override
  public void setDataBlockEncoder(HFileDataBlockEncoder encoder) {
    stock.setDataBlockEncoder(encoder);
  }

  @Override
  public String toString() {
    return "MappedHFileReader of " + stock;
  }
}
