package org.fastpath.offheap.memory;

/** The configured cache is not possible. The message names the key and the remedy. */
public final class CacheConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public CacheConfigurationException(String message) {
    super(message);
  }

  public CacheConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
