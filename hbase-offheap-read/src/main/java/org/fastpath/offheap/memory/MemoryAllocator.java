package org.fastpath.offheap.memory;

/** Gives zeroed memory. The cache asks it for all memory beside the blocks themselves. */
@FunctionalInterface
public interface MemoryAllocator {
  /** Direct memory of this JVM. */
  MemoryAllocator DIRECT = Memory::allocate;

  /**
   * Allocates memory that begins at a cache line.
   *
   * @throws OutOfMemoryError if it cannot be had
   */
  Memory allocate(long bytes);
}
