package org.fastpath.tiered.datanode.move;

/** A key of moves has a value that it cannot have. */
final class MoveConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MoveConfigurationException(String key, String value, String allowed) {
    super(key + " is " + value + ", allowed is " + allowed);
  }
}
