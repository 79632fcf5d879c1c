package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;

/**
 * The format of a file's cells.
 *
 * @param tags whether each value is followed by the length of tags and the tags
 * @param mvcc whether each cell ends with a sequence number
 * @param readMvcc whether any sequence number of the file is not 0
 */
public record CellFormat(boolean tags, boolean mvcc, boolean readMvcc) {

  /** The number of bits of a {@link #code}. */
  static final int CODE_BITS = 2;

  public static CellFormat of(HFile.Reader reader) {
    return new CellFormat(
        reader.getFileContext().isIncludesTags(),
        reader.getHFileInfo().shouldIncludeMemStoreTS(),
        reader.getHFileInfo().isDecodeMemstoreTS());
  }

  /** Returns the format of a block that is about to be cached. */
  static CellFormat of(HFileContext context) {
    return new CellFormat(context.isIncludesTags(), context.isIncludesMvcc(), true);
  }

  /** Returns a number that is equal for formats in which cells have equal lengths. */
  int code() {
    return (tags ? 1 : 0) | (mvcc ? 2 : 0);
  }
}
