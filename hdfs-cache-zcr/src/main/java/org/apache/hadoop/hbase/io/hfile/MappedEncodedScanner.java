package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;

/** HBase's scanner of encoded blocks; see {@link FirstKeys}. */
final class MappedEncodedScanner extends HFileReaderImpl.EncodedScanner {
  MappedEncodedScanner(
      HFile.Reader reader,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction,
      Configuration conf) {
    super(reader, cacheBlocks, pread, isCompaction, reader.getFileContext(), conf);
  }

  @Override
  protected Cell getFirstKeyCellInBlock(HFileBlock block) {
    return FirstKeys.copy(
        () -> super.getFirstKeyCellInBlock(block), () -> releaseIfNotCurBlock(block));
  }
}
