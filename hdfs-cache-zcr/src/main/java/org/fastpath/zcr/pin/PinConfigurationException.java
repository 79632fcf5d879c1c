package org.fastpath.zcr.pin;

/** A key has an invalid value. The message names the key, the value and the allowed values. */
final class PinConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  PinConfigurationException(String key, String value, String allowed) {
    super(key + " is " + value + ", allowed is " + allowed);
  }
}
