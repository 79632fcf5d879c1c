package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.BlockCursor;
import org.fastpath.offheap.reader.CellFormat;
import org.fastpath.offheap.reader.DeltaBlockCursor;
import org.fastpath.offheap.reader.PlainBlockCursor;
import org.fastpath.offheap.reader.RowIndexBlockCursor;

/**
 * An open HFile for the off-heap reader: the state that its scanners share. A reader creates it
 * once. The file's index is loaded before a scanner seeks. Thread-safe.
 */
public final class OffHeapHFile {
  private final HFile.Reader reader;
  private final Configuration conf;
  private final DataBlockReader blocks;

  /**
   * The format; null until there is a scanner, because a file is opened before its properties are
   * read.
   */
  private volatile CellFormat format;

  /** The index; null until a scanner asks. */
  private volatile DataIndex index;

  private boolean closed;

  public OffHeapHFile(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    this.conf = conf;
    blocks = new DataBlockReader(reader, conf);
  }

  /** Closes the shared state; open scanners stay valid. */
  public synchronized void close() {
    closed = true;
    if (index != null) {
      index.close();
    }
    blocks.close();
  }

  /**
   * Opens a scanner like {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}.
   * It opens HBase's scanner in two cases: no cursor knows the encoding, or the tags of encoded
   * blocks are compressed. Compressed tags can only be read from the first one on.
   */
  public HFileScanner scanner(boolean cacheBlocks, boolean pread, boolean isCompaction) {
    DataBlockEncoding encoding = reader.getEffectiveEncodingInCache(isCompaction);
    if (!isKnown(encoding)) {
      return new StockEncodedScanner(reader, cacheBlocks, pread, isCompaction, conf);
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

  /** Returns a cursor for the file's blocks, in an encoding that {@link #isKnown}. */
  BlockCursor cursor(DataBlockEncoding encoding) {
    return switch (encoding) {
      case NONE -> new PlainBlockCursor(reader.getPath(), format(), reader.getComparator());
      case ROW_INDEX_V1 ->
          new RowIndexBlockCursor(reader.getPath(), format(), reader.getComparator());
      default -> new DeltaBlockCursor(reader.getPath(), format(), encoding);
    };
  }

  /** Returns whether a scanner is ours and not HBase's. */
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

  DataIndex index() {
    DataIndex known = index;
    return known == null ? makeIndex() : known;
  }

  private synchronized DataIndex makeIndex() {
    if (index == null) {
      DataIndex made = DataIndex.of(reader);
      if (closed) {
        made.close();
      }
      index = made;
    }
    return index;
  }
}
