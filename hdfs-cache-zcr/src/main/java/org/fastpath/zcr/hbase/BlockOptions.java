package org.fastpath.zcr.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * The checked options of mapped blocks for one store. They include the attributes of its table and
 * its family.
 *
 * @param enabled whether the reader searches mappings for blocks
 * @param lockedOnly whether a mapping must be in locked memory
 * @param indexBytes the limit of all indexes beside mappings of the server, in bytes
 */
record BlockOptions(boolean enabled, boolean lockedOnly, long indexBytes) {
  /** The default limit is the JVM's limit of direct memory, divided by this number. */
  private static final int INDEX_SHARE = 16;

  private static final long MAX_INDEX_BYTES = 1L << 40;

  /**
   * Reads the options.
   *
   * @throws BlockConfigurationException naming the key, its value and the allowed values
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
      // The initial -1 is not in the range, so the check below reports the value.
    }
    if (bytes < 0 || bytes > MAX_INDEX_BYTES) {
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
