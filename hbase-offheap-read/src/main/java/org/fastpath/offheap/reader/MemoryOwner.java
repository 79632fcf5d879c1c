package org.fastpath.offheap.reader;

import org.fastpath.offheap.memory.Memory;

/** A reference count that knows the memory that it holds. */
public interface MemoryOwner {
  /**
   * Returns the memory, which ends with the last release.
   *
   * @throws IllegalStateException after the last release
   */
  Memory memory();
}
