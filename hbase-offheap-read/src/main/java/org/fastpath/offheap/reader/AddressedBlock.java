package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.Memory;

/** A block, an {@code HFileBlock}, that lies in one piece of a cache's memory. */
public interface AddressedBlock {
  /**
   * The memory that it lies in, with its header from 0 on. It ends with the last release of the
   * block.
   */
  Memory memory();

  /** The same as a buffer; the caller's own, and not to be used after the last release. */
  ByteBuffer buffer();

  /** Where its {@link BlockIndex} begins in that, or {@link #NO_INDEX}. */
  int index();

  int NO_INDEX = -1;
}
