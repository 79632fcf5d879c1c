package org.fastpath.zcr;

/** A key of ours has an invalid value. */
final class ZeroCopyConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ZeroCopyConfigurationException(String key, String value, String allowed) {
    super(key + " is " + value + ", allowed is " + allowed);
  }
}
