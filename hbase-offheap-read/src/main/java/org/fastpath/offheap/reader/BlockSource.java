package org.fastpath.offheap.reader;

import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Provides the data blocks of one open file from one kind of memory. {@link CachedBlocks} provides
 * those of a cache. A {@link BlockSourceProvider} of another jar provides those of other memory. A
 * reader asks its sources for each block. So the source may change with each block of a scan.
 *
 * <p>A block that is an {@link AddressedBlock} has an address, a length and optionally an index. A
 * block whose cells are in several parts is not an {@code AddressedBlock}. A block is held until
 * its last release; until then its memory neither changes nor ends.
 *
 * <p>Thread-safe.
 */
public interface BlockSource {
  /**
   * Returns the data block at an offset, in the file's encoding. Returns null if the memory is not
   * within reach or does not have the block. A thread that reads memory only does not wait. The
   * caller releases the block. If the source fails, it returns null.
   *
   * @param caching whether the reader would cache the block
   */
  HFileBlock dataBlock(long offset, boolean caching);

  /**
   * Brings the memory of a block within reach if possible, for example by a mapping. May wait.
   *
   * @return whether {@link #dataBlock} may have the block now
   */
  default boolean prepare(long offset) {
    return false;
  }

  /**
   * Returns the size on disk, with header, of the data block at an offset if this memory has it,
   * otherwise 0. A cache does not store such a block.
   */
  default int heldSize(long offset) {
    return 0;
  }

  /**
   * Returns how many bytes from the beginning of the file this memory has, without a gap. Like
   * {@link #prepare}, it brings them within reach and may wait.
   */
  default long heldBytes() {
    return 0;
  }

  /** Closes the source. Held blocks stay valid. */
  default void close() {}
}
