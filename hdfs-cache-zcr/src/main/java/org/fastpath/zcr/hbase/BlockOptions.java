package org.fastpath.zcr.hbase;

import org.apache.hadoop.conf.Configuration;

/**
 * What the configuration of a store says of mapped blocks, checked. It includes what its table and
 * its family say.
 *
 * @param enabled whether blocks are looked for in mappings
 * @param lockedOnly whether they must be in locked memory
 */
record BlockOptions(boolean enabled, boolean lockedOnly) {
  /**
   * Reads them.
   *
   * @throws BlockConfigurationException naming the key, its value and what is allowed
   */
  static BlockOptions of(Configuration conf) {
    return new BlockOptions(
        flag(conf, MappedBlocks.ENABLED, true), !flag(conf, MappedBlocks.UNLOCKED, false));
  }

  private static boolean flag(Configuration conf, String key, boolean otherwise) {
    String value = conf.getTrimmed(key, Boolean.toString(otherwise));
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new BlockConfigurationException(
              key + " is " + value + ", allowed is true or false");
    };
  }
}
