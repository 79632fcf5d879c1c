package org.apache.hadoop.hbase.io.hfile;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.BlockCursor;
import org.fastpath.offheap.reader.CellFormat;
import org.fastpath.offheap.reader.DeltaBlockCursor;
import org.fastpath.offheap.reader.MemoryOnly;
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

  /** Null until a scanner asks; empty if the file has none. */
  private volatile Optional<RootIndex> roots;

  public OffHeapHFile(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    this.conf = conf;
    blocks = new DataBlockReader(reader, conf);
  }

  /** Ends the use of what its scanners share; they stay valid. */
  public void close() {
    blocks.close();
  }

  /**
   * As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}, which it is for
   * blocks in an encoding that is not known here, and for those whose tags are compressed: they can
   * only be read from the first on.
   */
  public HFileScanner scanner(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    DataBlockEncoding encoding = reader.getEffectiveEncodingInCache(isCompaction);
    if (!isKnown(encoding)) {
      // HBase's scanner would not close what it holds after a miss.
      MemoryOnly.miss();
      return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
    }
    return encoding == DataBlockEncoding.NONE
        ? new OffHeapHFileScanner(reader, cacheBlocks, pread, isCompaction, encoding, this)
        : new EncodedOffHeapHFileScanner(reader, cacheBlocks, pread, isCompaction, encoding, this);
  }

  private boolean isKnown(DataBlockEncoding encoding) {
    return switch (encoding) {
      case NONE, ROW_INDEX_V1 -> true;
      case PREFIX, DIFF, FAST_DIFF -> !hasTagsDictionary();
      default -> false;
    };
  }

  private boolean hasTagsDictionary() {
    return format().tags() && reader.getFileContext().isCompressTags();
  }

  /** A cursor for the file's blocks, in an encoding that {@link #isKnown}. */
  BlockCursor cursor(DataBlockEncoding encoding) {
    return switch (encoding) {
      case NONE -> new PlainBlockCursor(reader.getPath(), format(), reader.getComparator());
      case ROW_INDEX_V1 ->
          new RowIndexBlockCursor(reader.getPath(), format(), reader.getComparator());
      default -> new DeltaBlockCursor(reader.getPath(), format(), encoding);
    };
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
    Optional<RootIndex> known = roots;
    if (known == null) {
      // Made twice by two threads at once, it is the same but for what it has learned.
      known = Optional.ofNullable(makeRoots());
      roots = known;
    }
    return known.orElse(null);
  }

  private RootIndex makeRoots() {
    if (reader.getTrailer().getNumDataIndexLevels() != 1) {
      return null;
    }
    HFileBlockIndex.CellBasedKeyBlockIndexReader index = reader.getDataBlockIndexReader();
    return RootIndex.of(reader.getComparator(), index.getRootBlockCount(), index::getRootBlockKey);
  }
}
