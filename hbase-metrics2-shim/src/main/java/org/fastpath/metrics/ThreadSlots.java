package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Gives a thread a number that no other living thread has. The thread then updates its own cells
 * with plain loads and stores, which cost a third of an atomic addition.
 *
 * <p>A thread's slot is its id modulo the number of slots. The first thread that asks owns the slot
 * until it ends. Ids are sequential, so the handlers of an RPC server, which are created together,
 * have different slots. If a living thread owns the slot, another thread uses shared cells with
 * atomic additions: slower, but correct.
 *
 * <p>No addition is lost, because only the owner of a slot writes its cells. A slot gets a new
 * owner after {@link Thread#isAlive} returned false for the old one. All actions of the old owner
 * happen before that answer. The table keeps an ended thread reachable until another one takes its
 * slot: at most {@link #COUNT} threads.
 */
final class ThreadSlots {
  private static final int MIN = 64;
  private static final int MAX = 256;
  private static final int PER_PROCESSOR = 4;

  /** A power of two, from 64 to 256, by the number of processors. */
  static final int COUNT =
      powerOfTwo(PER_PROCESSOR * Runtime.getRuntime().availableProcessors(), MIN, MAX);

  private static final VarHandle OWNER = MethodHandles.arrayElementVarHandle(Thread[].class);
  private static final Thread[] OWNERS = new Thread[COUNT];

  private ThreadSlots() {}

  /**
   * Returns the smallest power of two that is at least {@code n}, within bounds that are powers of
   * two.
   */
  static int powerOfTwo(int n, int least, int most) {
    int power = least;
    while (power < n && power < most) {
      power <<= 1;
    }
    return power;
  }

  /** Returns the current thread's own slot, from 0 to {@link #COUNT}, or -1. */
  static int current() {
    Thread thread = Thread.currentThread();
    int slot = (int) thread.getId() & (COUNT - 1);
    return OWNERS[slot] == thread ? slot : claim(thread, slot);
  }

  /** Returns one of {@code stripes} (a power of two) for atomic additions by the current thread. */
  static int stripe(int stripes) {
    return (int) Thread.currentThread().getId() & (stripes - 1);
  }

  private static int claim(Thread thread, int slot) {
    Thread owner = (Thread) OWNER.getAcquire(OWNERS, slot);
    boolean free = owner == null || hasEnded(owner);
    return free && OWNER.compareAndSet(OWNERS, slot, owner, thread) ? slot : -1;
  }

  /**
   * Returns whether a thread has ended. The state is a field and is read first; isAlive is a native
   * call in some JDKs.
   */
  private static boolean hasEnded(Thread owner) {
    return owner.getState() == Thread.State.TERMINATED && !owner.isAlive();
  }
}
