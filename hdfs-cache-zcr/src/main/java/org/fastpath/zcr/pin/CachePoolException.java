package org.fastpath.zcr.pin;

import java.io.IOException;

/** The configuration of the pool or the DataNodes prevents pins. The message names the remedy. */
final class CachePoolException extends IOException {
  private static final long serialVersionUID = 1L;

  CachePoolException(String message) {
    super(message);
  }

  CachePoolException(String message, Throwable cause) {
    super(message, cause);
  }
}
