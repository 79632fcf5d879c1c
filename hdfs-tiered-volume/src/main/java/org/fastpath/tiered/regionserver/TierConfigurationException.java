package org.fastpath.tiered.regionserver;

import java.io.IOException;

/** A rule that cannot be followed; its message names key and value, and says what is allowed. */
final class TierConfigurationException extends IOException {
  private static final long serialVersionUID = 1;

  TierConfigurationException(String key, String value, String allowed) {
    super(key + " is '" + value + "': " + allowed);
  }
}
