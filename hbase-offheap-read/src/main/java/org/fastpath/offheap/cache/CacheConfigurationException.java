package org.fastpath.offheap.cache;

/** The cache cannot be had as it is configured; the message says what to change. */
final class CacheConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  CacheConfigurationException(String message) {
    super(message);
  }

  CacheConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
