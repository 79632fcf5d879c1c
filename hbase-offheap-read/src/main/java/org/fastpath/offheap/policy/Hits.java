package org.fastpath.offheap.policy;

import java.util.function.IntConsumer;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * About how many hits there were, and which blocks they found, as far as somebody wants to know.
 * Threads write to stripes of their own as far as there are enough, without atomic operations:
 * threads that share a stripe lose some hits, which matters to no one who asks.
 *
 * <pre>
 *  offset in the stripe
 *    0  +---------------------------------------------------------------+
 *       | hits                                                          |
 *    8  +---------------------------------------------------------------+
 *       | blocks ever logged, of which the last are there               |
 *   16  +---------------------------------------------------------------+
 *       | blocks ever taken out of the log (written under the lock)     |
 *   64  +-------------------------------+-------------------------------+
 *       | log: 256 blocks, the n-th at the place n modulo 256           |
 * 1088  +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>Adding is for any thread, {@link #drain} for use under the cache's lock.
 */
final class Hits {
  private static final int STRIPES = 64;
  private static final int LOGGED = 8;
  private static final int TAKEN = 16;
  private static final int LOG = 64;
  private static final int LOG_BLOCKS = 256;
  private static final int STRIPE_BYTES = LOG + LOG_BLOCKS * Integer.BYTES;

  private final Memory memory;

  Hits(MemoryAllocator allocator) {
    memory = allocator.allocate((long) STRIPES * STRIPE_BYTES);
  }

  void add() {
    count(stripe());
  }

  /** Counts a hit, and logs which block it found; the log forgets the oldest when it is full. */
  void addLogged(int entry) {
    long stripe = stripe();
    count(stripe);
    long logged = memory.getLong(stripe + LOGGED);
    memory.putInt(place(stripe, logged), entry);
    memory.putLong(stripe + LOGGED, logged + 1);
  }

  /** Takes the blocks out of the log, in the order of their hits as far as one thread goes. */
  void drain(IntConsumer consumer) {
    for (int i = 0; i < STRIPES; i++) {
      long stripe = stripe(i);
      long logged = memory.getLong(stripe + LOGGED);
      long taken = memory.getLong(stripe + TAKEN);
      if (taken != logged) {
        for (long n = Math.max(taken, logged - LOG_BLOCKS); n < logged; n++) {
          consumer.accept(memory.getInt(place(stripe, n)));
        }
        memory.putLong(stripe + TAKEN, logged);
      }
    }
  }

  long sum() {
    long sum = 0;
    for (int i = 0; i < STRIPES; i++) {
      sum += memory.getLong(stripe(i));
    }
    return sum;
  }

  long bytes() {
    return memory.bytes();
  }

  private void count(long stripe) {
    memory.putLong(stripe, memory.getLong(stripe) + 1);
  }

  private long stripe() {
    return stripe((int) Thread.currentThread().getId() & STRIPES - 1);
  }

  private long stripe(int number) {
    return (long) number * STRIPE_BYTES;
  }

  private static long place(long stripe, long n) {
    return stripe + LOG + (n & LOG_BLOCKS - 1) * Integer.BYTES;
  }
}
