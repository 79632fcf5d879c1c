package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.Memory;

/** A block, an {@code HFileBlock}, that lies in one piece of memory off the heap. */
public interface AddressedBlock {
  /**
   * The memory that it lies in, with its header from 0 on. It ends with the last release of the
   * block.
   */
  Memory memory();

  /** The same as a buffer; the caller's own, and not to be used after the last release. */
  ByteBuffer buffer();

  /**
   * Returns the memory that its {@link BlockIndex} is in, which ends with it; null if the index is
   * behind the block in {@link #memory}.
   */
  default Memory indexMemory() {
    return null;
  }

  /** Returns where its {@link BlockIndex} begins in that memory, or {@link #NO_INDEX}. */
  int index();

  int NO_INDEX = -1;
}
