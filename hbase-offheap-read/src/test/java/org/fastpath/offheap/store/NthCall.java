package org.fastpath.offheap.store;

import java.util.function.Supplier;

/** Makes the n-th of all calls that come by throw, once. */
final class NthCall {
  private final Supplier<? extends Throwable> failure;
  private long left = Long.MAX_VALUE;
  private boolean thrown;

  NthCall(Supplier<? extends Throwable> failure) {
    this.failure = failure;
  }

  /** The n-th call from now on throws. */
  void arm(long n) {
    left = n;
    thrown = false;
  }

  void disarm() {
    left = Long.MAX_VALUE;
  }

  boolean hasThrown() {
    return thrown;
  }

  void call() {
    if (--left == 0) {
      thrown = true;
      NthCall.<RuntimeException>sneak(failure.get());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }
}
