package org.fastpath.bench.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits, and fails with an {@link IOException}. */
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

  /** Returns the result of a task; fails with its failure, or if the thread is interrupted. */
  public static <T> T await(Future<T> task) throws IOException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for another thread");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }
}
