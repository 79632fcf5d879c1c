package org.fastpath.zcr.pin;

import java.io.IOException;

/** Nothing can be pinned as the pool or the DataNodes are set up; the message says what to set. */
final class CachePoolException extends IOException {
  private static final long serialVersionUID = 1L;

  CachePoolException(String message) {
    super(message);
  }

  CachePoolException(String message, Throwable cause) {
    super(message, cause);
  }
}
