package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;

/**
 * About how many hits there were. Threads count on cache lines of their own as far as there are
 * enough, without atomic operations: threads that share a line lose some, which matters to no one
 * who asks.
 */
final class Hits {
  private static final int STRIPES = 64;
  private static final int LINE = 64;

  private final ByteBuffer memory = OffHeap.allocate(STRIPES * LINE);
  private final long address = OffHeap.address(memory);

  void add() {
    long stripe = address + (Thread.currentThread().getId() & STRIPES - 1) * LINE;
    OffHeap.putLong(stripe, OffHeap.getLong(stripe) + 1);
  }

  long sum() {
    long sum = 0;
    for (int i = 0; i < STRIPES; i++) {
      sum += OffHeap.getLong(address + i * LINE);
    }
    return sum;
  }

  long bytes() {
    return memory.capacity();
  }
}
