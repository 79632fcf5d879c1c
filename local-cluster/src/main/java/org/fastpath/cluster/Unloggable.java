package org.fastpath.cluster;

import java.io.PrintStream;
import java.io.PrintWriter;

/** Stands for a lack of memory that lasts while it is logged: each use of it throws again. */
@SuppressWarnings("serial")
public final class Unloggable extends OutOfMemoryError {
  /** Makes one. */
  public Unloggable() {}

  @Override
  public String getMessage() {
    throw new OutOfMemoryError("thrown by the test");
  }

  @Override
  public String toString() {
    throw new OutOfMemoryError("thrown by the test");
  }

  @Override
  public StackTraceElement[] getStackTrace() {
    throw new OutOfMemoryError("thrown by the test");
  }

  @Override
  public void printStackTrace(PrintStream stream) {
    throw new OutOfMemoryError("thrown by the test");
  }

  @Override
  public void printStackTrace(PrintWriter writer) {
    throw new OutOfMemoryError("thrown by the test");
  }
}
