package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.Cell;

/** HBase's scanner of blocks that are not encoded; see {@link FirstKeys}. */
final class MappedScanner extends HFileReaderImpl.HFileScannerImpl {
  MappedScanner(HFile.Reader reader, boolean cacheBlocks, boolean pread, boolean isCompaction) {
    super(reader, cacheBlocks, pread, isCompaction);
  }

  @Override
  protected Cell getFirstKeyCellInBlock(HFileBlock block) {
    return FirstKeys.copy(
        () -> super.getFirstKeyCellInBlock(block), () -> releaseIfNotCurBlock(block));
  }
}
