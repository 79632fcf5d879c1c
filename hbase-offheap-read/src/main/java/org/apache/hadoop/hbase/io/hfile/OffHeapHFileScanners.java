package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.offheap.reader.CellFormat;
import org.fastpath.offheap.reader.PlainBlockCursor;

/** Makes the scanner that reads a file's blocks by the off-heap reader. Safe from any thread. */
public final class OffHeapHFileScanners {
  private OffHeapHFileScanners() {}

  /**
   * As {@link HFile.Reader#getScanner(Configuration, boolean, boolean, boolean)}, which it is for
   * blocks in an encoding that has no cursor.
   */
  public static HFileScanner open(
      HFile.Reader reader,
      Configuration conf,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction) {
    if (reader.getEffectiveEncodingInCache(isCompaction) != DataBlockEncoding.NONE) {
      return reader.getScanner(conf, cacheBlocks, pread, isCompaction);
    }
    PlainBlockCursor cursor =
        new PlainBlockCursor(reader.getPath(), CellFormat.of(reader), reader.getComparator());
    return new OffHeapHFileScanner(reader, cacheBlocks, pread, isCompaction, cursor);
  }
}
