package org.fastpath.tiered.datanode;

/** A key of a volume choosing policy has a value that it cannot have. */
final class VolumeChoiceConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  VolumeChoiceConfigurationException(String key, String value, String allowed) {
    super(key + " is " + value + ", allowed is " + allowed);
  }
}
