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
 * A file of HDFS, read from mappings where its blocks are mapped. To applications it is the stream
 * of HDFS that it extends; whoever knows it better can have slices at any position. As safe for
 * several threads as that: positional reads and slices are, sequential reads are one at a time.
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
   * A part of the file without a copy, as long as {@code length} if the block goes on so far, and
   * up to the end of the block if not.
   *
   * @return null if it is to be read in another way: the position is not within the file, or the
   *     block is not in the locked memory of a DataNode of this machine (and {@code
   *     dfs.fastpath.zcr.map-uncached} does not say that it need not be for a caller without
   *     checksums)
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

  /** The stock stream, which others expect here. */
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
