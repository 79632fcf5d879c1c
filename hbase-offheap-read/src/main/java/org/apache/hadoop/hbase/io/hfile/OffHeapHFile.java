package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.BlockCursor;
import org.fastpath.offheap.reader.CellFormat;
import org.fastpath.offheap.reader.DeltaBlockCursor;
import org.fastpath.offheap.reader.PlainBlockCursor;
import org.fastpath.offheap.reader.RootIndex;
import org.fastpath.offheap.reader.RowIndexBlockCursor;

/**
 * An open HFile as the off-heap reader sees it: what its scanners share. Made once for a reader,
 * whose index has been loaded before a scanner seeks. Safe from any thread.
 */
public final class OffHeapHFile {
  private final HFile.Reader reader;
  private final Configuration conf;
  private final DataBlockReader blocks;

  /** Null until there is a scanner: a file is opened before its properties are read. */
  private volatile CellFormat format;

  /** Null until a scanner asks, or if the file has none. */
  private volatile RootIndex roots;

  public OffHeapHFile(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    this.conf = conf;
    blocks = new DataBlockReader(reader);
  }

  /**
   * As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}, which it is for
   * blocks in an encoding that is not known here, and for those whose tags are compressed: they can
   * only be read from the first on.
   */
  public HFileScanner scanner(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    DataBlockEncoding encoding = reader.getEffectiveEncodingInCache(isCompaction);
    BlockCursor cursor = cursor(encoding);
    if (cursor == null) {
      return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
    }
    return encoding == DataBlockEncoding.NONE
        ? new OffHeapHFileScanner(reader, cacheBlocks, pread, isCompaction, cursor, this)
        : new EncodedOffHeapHFileScanner(
            reader, cacheBlocks, pread, isCompaction, cursor, this, encoding);
  }

  /** Null for what HBase's scanner has to read. */
  private BlockCursor cursor(DataBlockEncoding encoding) {
    return switch (encoding) {
      case NONE -> new PlainBlockCursor(reader.getPath(), format(), reader.getComparator());
      case ROW_INDEX_V1 ->
          new RowIndexBlockCursor(reader.getPath(), format(), reader.getComparator());
      case PREFIX, DIFF, FAST_DIFF ->
          hasTagsDictionary() ? null : new DeltaBlockCursor(reader.getPath(), format(), encoding);
      default -> null;
    };
  }

  private boolean hasTagsDictionary() {
    return format().tags() && reader.getFileContext().isCompressTags();
  }

  /** Whether a scanner is of this reader, and not HBase's. */
  public static boolean isOffHeap(HFileScanner scanner) {
    return scanner instanceof OffHeapHFileScanner;
  }

  private CellFormat format() {
    CellFormat known = format;
    if (known == null) {
      known = CellFormat.of(reader);
      format = known;
    }
    return known;
  }

  DataBlockReader blocks() {
    return blocks;
  }

  /** Null if the file's index has several levels, or rows are not ordered by their bytes. */
  RootIndex roots() {
    RootIndex known = roots;
    return known == null && hasOneLevel() ? loadRoots() : known;
  }

  private boolean hasOneLevel() {
    return reader.getTrailer().getNumDataIndexLevels() == 1;
  }

  private synchronized RootIndex loadRoots() {
    if (roots == null) {
      HFileBlockIndex.CellBasedKeyBlockIndexReader index = reader.getDataBlockIndexReader();
      roots =
          RootIndex.of(reader.getComparator(), index.getRootBlockCount(), index::getRootBlockKey);
    }
    return roots;
  }
}
