package org.fastpath.zcr.pin;

import java.io.IOException;

/** The called server is not the coordinator, as happens for a moment when meta moves. */
final class NotCoordinatorException extends IOException {
  private static final long serialVersionUID = 1L;

  NotCoordinatorException(String message, Throwable cause) {
    super(message, cause);
  }
}
