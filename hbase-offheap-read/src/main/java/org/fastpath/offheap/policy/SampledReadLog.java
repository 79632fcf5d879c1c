package org.fastpath.offheap.policy;

import java.util.function.IntConsumer;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Counts hits approximately and logs the blocks of sampled hits. Threads write to separate stripes
 * if possible, without atomic operations. Threads that share a stripe lose some hits, which is
 * acceptable for a sample.
 *
 * <pre>
 *  offset in the stripe
 *    0  +---------------------------------------------------------------+
 *       | hits                                                          |
 *    8  +---------------------------------------------------------------+
 *       | number of blocks ever logged; the log has the last ones       |
 *   16  +---------------------------------------------------------------+
 *       | number of blocks ever drained (written under the lock)        |
 *   64  +-------------------------------+-------------------------------+
 *       | log: 256 blocks, the n-th at the place n modulo 256           |
 * 1088  +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>Any thread may add; the cache's lock guards {@link #drain}.
 */
final class SampledReadLog {
  private static final int STRIPES = 64;
  private static final int LOGGED = 8;
  private static final int TAKEN = 16;
  private static final int LOG = 64;
  private static final int LOG_BLOCKS = 256;
  private static final int STRIPE_BYTES = LOG + LOG_BLOCKS * Integer.BYTES;

  private final Memory memory;

  SampledReadLog(MemoryAllocator allocator) {
    memory = allocator.allocate((long) STRIPES * STRIPE_BYTES);
  }

  void add() {
    count(stripe());
  }

  /** Counts a hit and logs its block. A full log drops the oldest one. */
  void addLogged(int entry) {
    long stripe = stripe();
    count(stripe);
    long logged = memory.getLong(stripe + LOGGED);
    memory.putInt(place(stripe, logged), entry);
    memory.putLong(stripe + LOGGED, logged + 1);
  }

  /** Removes the blocks from the log, in the order of hits of each thread. */
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
