package org.fastpath.offheap.reader;

import java.io.IOException;

/**
 * Signals to a thread that {@link MemoryOnly} keeps from files that a block is not in memory. It
 * has no stack trace, because a miss is no error.
 */
public final class NotInMemoryException extends IOException {
  private static final long serialVersionUID = 1L;

  public NotInMemoryException() {
    super("a block is not in memory");
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
