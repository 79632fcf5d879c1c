package org.fastpath.zcr.hbase;

/**
 * One of our keys has an invalid value, in the configuration or in an attribute of a table or
 * family.
 */
final class BlockConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  BlockConfigurationException(String message) {
    super(message);
  }
}
