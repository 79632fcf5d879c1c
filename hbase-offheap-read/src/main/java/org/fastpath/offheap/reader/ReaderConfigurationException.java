package org.fastpath.offheap.reader;

/** Reports an invalid configuration of the reader. The message names the remedy. */
public final class ReaderConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ReaderConfigurationException(String message) {
    super(message);
  }
}
