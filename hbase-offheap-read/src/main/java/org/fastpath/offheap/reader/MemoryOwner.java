package org.fastpath.offheap.reader;

import org.fastpath.offheap.memory.Memory;

/** A reference count that knows the memory which it holds. */
public interface MemoryOwner {
  /**
   * The memory, which ends with the last release.
   *
   * @throws IllegalStateException after it
   */
  Memory memory();
}
