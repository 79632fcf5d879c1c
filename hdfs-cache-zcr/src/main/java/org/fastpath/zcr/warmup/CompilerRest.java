package org.fastpath.zcr.warmup;

import java.util.function.LongSupplier;

/**
 * Says when the JVM's compilers have rested for a while: whatever is asked over and over is
 * compiled by then. For one thread.
 */
final class CompilerRest {
  /** What they may still be at in a window that counts as rest: there is always something. */
  private static final double BUSY = 0.1;

  private static final int WINDOWS = 3;

  private final LongSupplier compiledMillis;
  private long lastMillis;
  private int restful;

  /**
   * Watches.
   *
   * @param compiledMillis for how long they have been at work; never more if that is not known
   */
  CompilerRest(LongSupplier compiledMillis) {
    this.compiledMillis = compiledMillis;
    lastMillis = compiledMillis.getAsLong();
  }

  /**
   * A window has passed.
   *
   * @return whether they had a rest in this and in those before
   */
  boolean after(long windowMillis) {
    long now = compiledMillis.getAsLong();
    restful = now - lastMillis < windowMillis * BUSY ? restful + 1 : 0;
    lastMillis = now;
    return restful >= WINDOWS;
  }
}
