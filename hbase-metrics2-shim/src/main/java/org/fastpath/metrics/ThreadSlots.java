package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Gives a thread a number that no other living thread has, so that it can update its own cells with
 * plain loads and stores, which cost a third of an atomic addition.
 *
 * <p>A thread's slot is its id modulo the number of slots; the first thread that asks owns the slot
 * until it ends. Ids are given out in sequence, so that the handlers of an RPC server, which are
 * created together, fall into different slots. A thread that finds its slot taken by a living one
 * has none and uses shared cells with atomic additions: slower, never wrong.
 *
 * <p>Why nothing is lost: a cell is written by the owner of its slot only. A slot changes hands
 * when {@link Thread#isAlive} said that its owner has ended, and all that the owner did happens
 * before that answer. The table keeps an ended thread reachable until another one takes its slot:
 * at most {@link #COUNT} threads.
 */
final class ThreadSlots {
  private static final int LEAST = 64;
  private static final int MOST = 256;
  private static final int PER_PROCESSOR = 4;

  /** A power of two, from 64 to 256, by processors. */
  static final int COUNT =
      powerOfTwo(PER_PROCESSOR * Runtime.getRuntime().availableProcessors(), LEAST, MOST);

  private static final VarHandle OWNER = MethodHandles.arrayElementVarHandle(Thread[].class);
  private static final Thread[] OWNERS = new Thread[COUNT];

  private ThreadSlots() {}

  /** The least power of two that is at least {@code n}, within bounds that are powers of two. */
  static int powerOfTwo(int n, int least, int most) {
    int power = least;
    while (power < n && power < most) {
      power <<= 1;
    }
    return power;
  }

  /** The current thread's own slot, from 0 to {@link #COUNT}, or -1. */
  static int current() {
    Thread thread = Thread.currentThread();
    int slot = (int) thread.getId() & (COUNT - 1);
    return OWNERS[slot] == thread ? slot : claim(thread, slot);
  }

  /** One of {@code stripes} (a power of two) for atomic additions by the current thread. */
  static int stripe(int stripes) {
    return (int) Thread.currentThread().getId() & (stripes - 1);
  }

  private static int claim(Thread thread, int slot) {
    Thread owner = (Thread) OWNER.getAcquire(OWNERS, slot);
    boolean free = owner == null || hasEnded(owner);
    return free && OWNER.compareAndSet(OWNERS, slot, owner, thread) ? slot : -1;
  }

  /** The state is a field; isAlive is a native call in some JDKs and asked only to be sure. */
  private static boolean hasEnded(Thread owner) {
    return owner.getState() == Thread.State.TERMINATED && !owner.isAlive();
  }
}
