package org.fastpath.zcr;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A stream of an HDFS file that reads mapped blocks from their mappings. Applications use it as
 * HDFS's stream, which it extends, and may also request slices at any position. Positional reads
 * and slices are thread-safe; sequential reads are not.
 */
public final class ZeroCopyInputStream extends HdfsDataInputStream {
  private final DFSInputStream stock;
  private final MappedInputStream mapped;

  ZeroCopyInputStream(DFSInputStream stock, MappedInputStream mapped) {
    super(stock);
    this.stock = stock;
    this.mapped = mapped;
    in = mapped;
  }

  /**
   * Returns a part of the file without a copy. It has {@code length} bytes, or fewer if the block
   * ends before.
   *
   * @return null if another read is necessary: the position is not within the file, or no local
   *     DataNode has the block in locked memory. With {@code dfs.fastpath.zcr.map-uncached}, a
   *     caller without checksums needs no locked memory
   */
  public Slice slice(long position, int length) {
    if (length <= 0) {
      throw new IllegalArgumentException("a slice of " + length + " bytes");
    }
    return mapped.slice(position, length);
  }

  /** Returns the place of a position in memory, if it is mapped now; else null. Never blocks. */
  public MappedPlace mapped(long position) {
    return mapped.mapped(position);
  }

  /**
   * Returns the place of a position in memory, and maps the block if it is not mapped.
   *
   * @return null if it is to be read in another way, as of {@link #slice}
   */
  public MappedPlace map(long position) {
    return mapped.map(position);
  }

  /** Returns the stock stream, which callers expect here. */
  @Override
  public InputStream getWrappedStream() {
    return stock;
  }

  @Override
  public DatanodeInfo getCurrentDatanode() {
    return mapped.currentDatanode();
  }

  @Override
  public ExtendedBlock getCurrentBlock() {
    return mapped.currentBlock();
  }

  @Override
  public List<LocatedBlock> getAllBlocks() throws IOException {
    return stock.getAllBlocks();
  }

  @Override
  public long getVisibleLength() {
    return stock.getFileLength();
  }

  @Override
  public ReadStatistics getReadStatistics() {
    return mapped.statistics();
  }

  @Override
  public void clearReadStatistics() {
    mapped.statistics().clear();
  }
}
