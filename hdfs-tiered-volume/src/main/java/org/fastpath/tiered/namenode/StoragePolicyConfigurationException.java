package org.fastpath.tiered.namenode;

/** A key that defines a storage policy has a value that it cannot have. */
final class StoragePolicyConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  StoragePolicyConfigurationException(String key, String value, String allowed) {
    super(key + " is " + (value.isEmpty() ? "empty" : value) + ", allowed is " + allowed);
  }
}
