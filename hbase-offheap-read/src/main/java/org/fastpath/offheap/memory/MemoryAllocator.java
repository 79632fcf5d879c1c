package org.fastpath.offheap.memory;

/** Allocates zeroed memory. The cache uses it for all memory except the blocks themselves. */
@FunctionalInterface
public interface MemoryAllocator {
  /**
   * Direct memory of this JVM, only if it is free. A JVM that is asked for more collects all
   * garbage first and makes the caller wait.
   */
  MemoryAllocator DIRECT = DirectMemory::allocate;

  /**
   * Allocates memory that begins at a cache line.
   *
   * @throws OutOfMemoryError if it is not available
   */
  Memory allocate(long bytes);
}
