package org.fastpath.offheap.reader;

import java.nio.ByteBuffer;

/** A block, an {@code HFileBlock}, that lies in one piece of a cache's memory. */
public interface AddressedBlock {
  /** What it lies in, with its header from 0 on; the caller's own. */
  ByteBuffer memory();

  /** Where its {@link BlockIndex} begins in that, or {@link #NO_INDEX}. */
  int index();

  int NO_INDEX = -1;
}
