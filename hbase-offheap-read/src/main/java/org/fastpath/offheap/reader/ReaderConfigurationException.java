package org.fastpath.offheap.reader;

/** The reader cannot be had as it is configured; the message says what to change. */
public final class ReaderConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ReaderConfigurationException(String message) {
    super(message);
  }
}
