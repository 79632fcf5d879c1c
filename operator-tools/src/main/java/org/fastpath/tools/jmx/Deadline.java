package org.fastpath.tools.jmx;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The time until which one daemon must have answered. */
public final class Deadline {
  private final long nanos;
  private final Duration length;

  private Deadline(Duration length) {
    this.length = length;
    nanos = System.nanoTime() + length.toNanos();
  }

  /** Returns the time from now on. */
  public static Deadline in(Duration length) {
    return new Deadline(length);
  }

  /** Returns the remaining time, at least a millisecond, because zero means for ever. */
  public int millis() throws SocketTimeoutException {
    long left = TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException("no answer within " + length.toMillis() + " ms");
    }
    return (int) Math.min(Integer.MAX_VALUE, left);
  }
}
