package org.fastpath.offheap.memory;

/** The cache cannot be had as it is configured; the message says what to change. */
public final class CacheConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public CacheConfigurationException(String message) {
    super(message);
  }

  public CacheConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
