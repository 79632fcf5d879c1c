package org.fastpath.offheap.memory;

/** Waits for the garbage collection to give direct memory back. */
final class GivenBack {
  private static final int TRIES = 3_000;
  private static final int PAUSE_MILLIS = 20;

  private GivenBack() {}

  /** Returns whether less than this is in use in the end. */
  static boolean directMemoryBelow(long bytes) {
    for (int i = 0; i < TRIES && DirectMemory.used() >= bytes; i++) {
      System.gc();
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return DirectMemory.used() < bytes;
  }
}
