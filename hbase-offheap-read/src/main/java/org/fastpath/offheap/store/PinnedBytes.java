package org.fastpath.offheap.store;

import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * How many bytes readers hold: a sum over stripes, of which each is in a cache line of its own, so
 * that readers do not wait for each other. Reading the sum does not depend on the number of blocks.
 */
final class PinnedBytes {
  /** Two cache lines, which some processors fetch together. */
  private static final int STRIPE_BYTES = 128;

  private final Memory sums;
  private final int stripes;

  PinnedBytes(int stripes, MemoryAllocator allocator) {
    this.stripes = stripes;
    sums = allocator.allocate((long) stripes * STRIPE_BYTES);
  }

  void add(int stripe, long bytes) {
    sums.getAndAddLong((long) stripe * STRIPE_BYTES, bytes);
  }

  /** Exact while no block is pinned or released. */
  long sum() {
    long sum = 0;
    for (int i = 0; i < stripes; i++) {
      sum += sums.getLongVolatile((long) i * STRIPE_BYTES);
    }
    return sum;
  }
}
