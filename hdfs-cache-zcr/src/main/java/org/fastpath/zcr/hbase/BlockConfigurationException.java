package org.fastpath.zcr.hbase;

/** A key of ours, or what a table or family says instead, has a value that it cannot have. */
final class BlockConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  BlockConfigurationException(String message) {
    super(message);
  }
}
