package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.Memory;

/** A block, an {@code HFileBlock}, in one contiguous piece of off-heap memory. */
public interface AddressedBlock {
  /**
   * Returns the block's memory, in which the header begins at 0. The memory ends with the last
   * release of the block.
   */
  Memory memory();

  /**
   * Returns the block's memory as a buffer that the caller owns. Do not use it after the last
   * release.
   */
  ByteBuffer buffer();

  /**
   * Returns the memory of the block's {@link BlockIndex}, which ends with the block; null if the
   * index is behind the block in {@link #memory}.
   */
  default Memory indexMemory() {
    return null;
  }

  /** Returns the position of the {@link BlockIndex} in that memory, or {@link #NO_INDEX}. */
  int index();

  int NO_INDEX = -1;
}
