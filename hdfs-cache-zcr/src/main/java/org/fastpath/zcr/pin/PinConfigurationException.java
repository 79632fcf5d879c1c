package org.fastpath.zcr.pin;

/** A key has a value that is not allowed; the message names both and says what is. */
final class PinConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  PinConfigurationException(String key, String value, String allowed) {
    super(key + " is " + value + ", allowed is " + allowed);
  }
}
