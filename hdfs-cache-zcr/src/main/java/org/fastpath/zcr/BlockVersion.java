package org.fastpath.zcr;

import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Names the content of a block. A block keeps its id when its file is truncated or appended to; its
 * generation stamp grows, and the DataNode may write it into another file.
 *
 * @param id of the block and its pool
 * @param generation stamp that the NameNode gave it
 */
record BlockVersion(ExtendedBlockId id, long generation) {
  static BlockVersion of(ExtendedBlock block) {
    return new BlockVersion(ExtendedBlockId.fromExtendedBlock(block), block.getGenerationStamp());
  }
}
