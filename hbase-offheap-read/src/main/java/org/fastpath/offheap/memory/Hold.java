package org.fastpath.offheap.memory;

import java.nio.ByteBuffer;

/**
 * Holds the bytes of a block, which are in one piece, until the last release. A cache counts itself
 * in for each hit, a mapped replica for each block that is read from it. The bytes stay where they
 * are while they are held, also when the block is evicted or the replica leaves memory.
 *
 * <p>Any thread may call any method.
 */
public interface Hold {
  /** Returns how many hold this; 0 after the last release. */
  int holders();

  /**
   * Adds a holder.
   *
   * @throws IllegalStateException after the last release
   */
  void addHolder();

  /**
   * Takes a holder away; the last one gives the bytes back.
   *
   * @return whether this was the last
   * @throws IllegalStateException after the last release
   */
  boolean release();

  /**
   * Returns the bytes, the block's header first. They end with the last release.
   *
   * @throws IllegalStateException after it
   */
  Memory memory();

  /** Returns the same as a buffer, which is the caller's own and ends too. */
  ByteBuffer buffer();

  /**
   * Returns the memory that the block's index is in, which ends with the hold; null if the index is
   * behind the block in {@link #memory}.
   */
  default Memory indexMemory() {
    return null;
  }
}
