package org.fastpath.zcr.hbase;

import org.apache.hadoop.conf.Configuration;

/**
 * What the configuration of a store says of mapped blocks, checked. It includes what its table and
 * its family say.
 *
 * @param enabled whether blocks are looked for in mappings
 */
record BlockOptions(boolean enabled) {
  static final String ENABLED = "hbase.fastpath.zcr-blocks.enabled";

  /**
   * Reads them.
   *
   * @throws BlockConfigurationException naming the key, its value and what is allowed
   */
  static BlockOptions of(Configuration conf) {
    String value = conf.getTrimmed(ENABLED, "true");
    return switch (value) {
      case "true" -> new BlockOptions(true);
      case "false" -> new BlockOptions(false);
      default ->
          throw new BlockConfigurationException(
              ENABLED + " is " + value + ", allowed is true or false");
    };
  }
}
