package org.fastpath.zcr.warmup;

import java.util.function.LongSupplier;

/**
 * Detects when the JVM's compilers have been idle for a while: code that runs often is compiled by
 * then. Not thread-safe.
 */
final class CompilerIdleness {
  /** The maximum busy share of a window that counts as idle; compilers are never fully idle. */
  private static final double BUSY = 0.1;

  private static final int WINDOWS = 3;

  private final LongSupplier compiledMillis;
  private long lastMillis;
  private int idleWindows;

  /**
   * Makes a detector.
   *
   * @param compiledMillis total compilation time; constant if unknown
   */
  CompilerIdleness(LongSupplier compiledMillis) {
    this.compiledMillis = compiledMillis;
    lastMillis = compiledMillis.getAsLong();
  }

  /**
   * Reports the end of a window.
   *
   * @return whether this window and those before were idle
   */
  boolean after(long windowMillis) {
    long now = compiledMillis.getAsLong();
    idleWindows = now - lastMillis < windowMillis * BUSY ? idleWindows + 1 : 0;
    lastMillis = now;
    return idleWindows >= WINDOWS;
  }
}
