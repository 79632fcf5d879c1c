package org.fastpath.tiered;

/** A key of a configuration has an invalid value. */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Names key, value and allowed values.
   *
   * @param allowed the words after "allowed is"
   */
  public InvalidValueException(String key, String value, String allowed) {
    super(key + " is " + (value.isEmpty() ? "empty" : value) + ", allowed is " + allowed);
  }
}
