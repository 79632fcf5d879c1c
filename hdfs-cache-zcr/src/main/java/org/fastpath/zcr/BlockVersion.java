package org.fastpath.zcr;

import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Identifies the content of a block. A block keeps its id after a truncation or an append. Its
 * generation stamp grows, and the DataNode may write it into another file.
 *
 * @param id of the block and its pool
 * @param generation stamp of the NameNode
 */
record BlockVersion(ExtendedBlockId id, long generation) {
  static BlockVersion of(ExtendedBlock block) {
    return new BlockVersion(ExtendedBlockId.fromExtendedBlock(block), block.getGenerationStamp());
  }
}
