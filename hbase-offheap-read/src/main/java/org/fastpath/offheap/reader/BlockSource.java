package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Gives the data blocks of one open file that are in one kind of memory: {@link CachedBlocks} those
 * of a cache, another jar's {@link BlockSourceProvider} those of other memory. A reader asks its
 * sources for each block. So the source may change with each block of a scan.
 *
 * <p>A block has an address, a length and maybe an index, if it is an {@link AddressedBlock}; a
 * block in several parts is another one. It is held until its last release, and its memory does not
 * change or end before.
 *
 * <p>Safe from any thread.
 */
public interface BlockSource {
  /**
   * Returns the data block at an offset, encoded or not as in the file; null if this memory does
   * not have it within reach. A thread that reads memory only does not wait. The caller releases
   * it. A failure of the source is a block that it does not have.
   *
   * @param caching whether the reader would cache the block
   */
  HFileBlock dataBlock(long offset, boolean caching);

  /**
   * Brings the memory of a block within reach, such as by a mapping, if that can be done. May wait.
   *
   * @return whether {@link #dataBlock} may have the block now
   */
  default boolean prepare(long offset) {
    return false;
  }

  /**
   * Returns the size on disk, with header, of the data block at an offset if this memory has it; 0
   * if not. What is here is not cached again.
   */
  default int heldSize(long offset) {
    return 0;
  }

  /** Ends the use of the source. Blocks that are held stay valid. */
  default void close() {}
}
