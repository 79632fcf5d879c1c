package org.fastpath.tiered;

/** A key of a configuration has a value that it cannot have. */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Names them.
   *
   * @param allowed what follows "allowed is"
   */
  public InvalidValueException(String key, String value, String allowed) {
    super(key + " is " + (value.isEmpty() ? "empty" : value) + ", allowed is " + allowed);
  }
}
