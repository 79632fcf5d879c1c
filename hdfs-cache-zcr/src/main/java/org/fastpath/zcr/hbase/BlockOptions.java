package org.fastpath.zcr.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * What the configuration of a store says of mapped blocks, checked. It includes what its table and
 * its family say.
 *
 * @param enabled whether blocks are looked for in mappings
 * @param lockedOnly whether they must be in locked memory
 * @param indexBytes that indexes beside all mappings of the server may have
 */
record BlockOptions(boolean enabled, boolean lockedOnly, long indexBytes) {
  /** Of the direct memory that the JVM may have, unless the key says otherwise. */
  private static final int INDEX_SHARE = 16;

  private static final long MOST_INDEX_BYTES = 1L << 40;

  /**
   * Reads them.
   *
   * @throws BlockConfigurationException naming the key, its value and what is allowed
   */
  static BlockOptions of(Configuration conf) {
    return new BlockOptions(
        flag(conf, MappedBlocks.ENABLED, true),
        !flag(conf, MappedBlocks.UNLOCKED, false),
        indexBytes(conf));
  }

  private static long indexBytes(Configuration conf) {
    String value = conf.getTrimmed(MappedBlocks.INDEX_SIZE, "");
    if (value.isEmpty()) {
      return DirectMemoryUtils.getDirectMemorySize() / INDEX_SHARE;
    }
    long bytes = -1;
    try {
      bytes = TraditionalBinaryPrefix.string2long(value);
    } catch (IllegalArgumentException e) {
      // It is not in the range either.
    }
    if (bytes < 0 || bytes > MOST_INDEX_BYTES) {
      throw new BlockConfigurationException(
          MappedBlocks.INDEX_SIZE
              + " is "
              + value
              + ", allowed is a number of bytes, or one with the suffix k, m, g or t, from 0 to 1t");
    }
    return bytes;
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
