package org.fastpath.bench.engine;

import java.io.IOException;
import java.io.InterruptedIOException;

/** Waits between two checks of a condition. */
public final class Pause {
  private Pause() {}

  /** Sleeps; fails if the thread is interrupted. */
  public static void millis(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the cluster");
    }
  }
}
