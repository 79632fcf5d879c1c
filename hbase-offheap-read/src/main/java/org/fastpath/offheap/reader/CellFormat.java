package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;

/**
 * How a file's cells are written.
 *
 * @param tags whether the length of tags, and tags, stand behind each cell's value
 * @param mvcc whether a sequence number does
 * @param readMvcc whether any of the file's sequence numbers is not 0
 */
public record CellFormat(boolean tags, boolean mvcc, boolean readMvcc) {

  /** Bits that a {@link #code} has. */
  static final int CODE_BITS = 2;

  public static CellFormat of(HFile.Reader reader) {
    return new CellFormat(
        reader.getFileContext().isIncludesTags(),
        reader.getHFileInfo().shouldIncludeMemStoreTS(),
        reader.getHFileInfo().isDecodeMemstoreTS());
  }

  /** Of a block that is about to be cached. */
  static CellFormat of(HFileContext context) {
    return new CellFormat(context.isIncludesTags(), context.isIncludesMvcc(), true);
  }

  /** A number that is the same for formats whose cells have the same length. */
  int code() {
    return (tags ? 1 : 0) | (mvcc ? 2 : 0);
  }
}
