package org.fastpath.offheap.cache;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.fastpath.offheap.index.BlockTable;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.DirectMemory;
import org.fastpath.offheap.reader.ReaderOptions;
import org.fastpath.offheap.reader.ReaderSupport;
import org.fastpath.offheap.restart.CacheFile;
import org.fastpath.offheap.restart.CacheFileLayout;

/**
 * What hbase-site.xml says about the cache, checked.
 *
 * @param size bytes for cached blocks
 * @param averageBlockSize bytes that a block takes on average at least: says how many there can be
 * @param inMemoryShare the part of the cache in which blocks of IN_MEMORY families are kept in
 *     preference
 * @param file where the cache lives so that it is there after a restart; null for memory that goes
 *     with the process
 * @param indexed whether a data block is indexed when it is cached, for the off-heap reader
 * @param debug whether freed memory is overwritten and readers are accounted for
 */
record CacheOptions(
    long size,
    int averageBlockSize,
    float inMemoryShare,
    Path file,
    boolean indexed,
    boolean debug) {
  static final String SIZE = CacheMemory.SIZE_KEY;
  static final String AVERAGE_BLOCK_SIZE = "hbase.fastpath.offheap-cache.average-block-size";
  static final String IN_MEMORY_SHARE = "hbase.fastpath.offheap-cache.in-memory-share";
  static final String FILE = CacheFile.FILE_KEY;
  static final String DEBUG = "hbase.fastpath.offheap-cache.debug";

  private static final long LEAST_SIZE = 4L << 20;
  private static final long MOST_SIZE = 1L << 46;
  private static final long LEAST_REGION = 4L << 20;
  private static final long MOST_REGION = CacheMemory.MAX_REGION_BYTES;
  private static final int DEFAULT_AVERAGE_BLOCK_SIZE = 8 << 10;
  private static final int LEAST_AVERAGE_BLOCK_SIZE = 256;
  private static final int MOST_AVERAGE_BLOCK_SIZE = 16 << 20;
  private static final float DEFAULT_IN_MEMORY_SHARE = 0.25f;

  /** The part of {@code -XX:MaxDirectMemorySize} that the cache takes when no size is set. */
  private static final double DEFAULT_SHARE_OF_DIRECT_MEMORY = 0.7;

  static CacheOptions of(Configuration conf) {
    refuseBucketCache(conf);
    CacheOptions options =
        new CacheOptions(
            size(conf),
            (int)
                bytes(
                    conf,
                    AVERAGE_BLOCK_SIZE,
                    DEFAULT_AVERAGE_BLOCK_SIZE,
                    LEAST_AVERAGE_BLOCK_SIZE,
                    MOST_AVERAGE_BLOCK_SIZE),
            share(conf),
            file(conf),
            flag(conf, ReaderOptions.ENABLED) && ReaderSupport.available(),
            flag(conf, DEBUG));
    options.refuseTooManyBlocks();
    return options;
  }

  private static void refuseBucketCache(Configuration conf) {
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    if (!engine.isEmpty()) {
      throw new CacheConfigurationException(
          HConstants.BUCKET_CACHE_IOENGINE_KEY
              + " is "
              + engine
              + ": there can be one second-level cache only. Remove it to use this cache (and give"
              + " its size by "
              + SIZE
              + "), or remove the class from hbase.regionserver.impl to use BucketCache");
    }
  }

  /** The size that is set, or a part of the direct memory that was given to the JVM on purpose. */
  static long size(Configuration conf) {
    if (!conf.getTrimmed(SIZE, "").isEmpty()) {
      return bytes(conf, SIZE, 0, LEAST_SIZE, MOST_SIZE);
    }
    long direct = DirectMemory.option();
    if (direct == 0) {
      throw new CacheConfigurationException(
          SIZE
              + " is not set, and neither is -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in"
              + " hbase-env.sh), of which 70 % would be taken. Set one of them; allowed is "
              + range(LEAST_SIZE, MOST_SIZE));
    }
    return Math.max(LEAST_SIZE, (long) (direct * DEFAULT_SHARE_OF_DIRECT_MEMORY));
  }

  private static long bytes(Configuration conf, String key, long otherwise, long least, long most) {
    String value = conf.getTrimmed(key, "");
    if (value.isEmpty()) {
      return otherwise;
    }
    long bytes;
    try {
      bytes = TraditionalBinaryPrefix.string2long(value);
    } catch (IllegalArgumentException e) {
      throw notAllowed(key, value, range(least, most));
    }
    if (bytes < least || bytes > most) {
      throw notAllowed(key, value, range(least, most));
    }
    return bytes;
  }

  private static String range(long least, long most) {
    return "a number of bytes, or one with the suffix k, m, g or t, from "
        + TraditionalBinaryPrefix.long2String(least, "", 0)
        + " to "
        + TraditionalBinaryPrefix.long2String(most, "", 0);
  }

  private static float share(Configuration conf) {
    String value = conf.getTrimmed(IN_MEMORY_SHARE, "");
    if (value.isEmpty()) {
      return DEFAULT_IN_MEMORY_SHARE;
    }
    try {
      float share = Float.parseFloat(value);
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Refused below, as a number out of range is.
    }
    throw notAllowed(IN_MEMORY_SHARE, value, "a number from 0 to 1");
  }

  private static Path file(Configuration conf) {
    String value = conf.getTrimmed(FILE, "");
    if (value.isEmpty()) {
      return null;
    }
    if (!value.startsWith("/")) {
      throw notAllowed(
          FILE, value, "the absolute path of a file on this machine, without a scheme");
    }
    return Path.of(value);
  }

  private static boolean flag(Configuration conf, String key) {
    String value = conf.getTrimmed(key, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw notAllowed(key, value, "true or false");
    }
    return value.equals("true");
  }

  private static CacheConfigurationException notAllowed(String key, String value, String allowed) {
    return new CacheConfigurationException(key + " is " + value + ", allowed is " + allowed);
  }

  private void refuseTooManyBlocks() {
    if (size / averageBlockSize > BlockTable.MOST_ENTRIES) {
      throw notAllowed(
          AVERAGE_BLOCK_SIZE,
          String.valueOf(averageBlockSize),
          "at least "
              + (size / BlockTable.MOST_ENTRIES + 1)
              + " for a cache of "
              + size
              + " bytes, because there can be no more than "
              + BlockTable.MOST_ENTRIES
              + " blocks");
    }
  }

  /** Bytes of a region: the step in which a cache is resized, a sixteenth of it or less. */
  int regionBytes() {
    long sixteenth = Long.highestOneBit(size >> 4);
    return (int) Math.min(MOST_REGION, Math.max(LEAST_REGION, sixteenth));
  }

  /** How the file is laid out. */
  CacheFileLayout fileLayout() {
    return new CacheFileLayout(size - size % CacheMemory.PAGE, regionBytes(), blocks(size));
  }

  /** The most blocks there can be in a cache of this many bytes. */
  int blocks(long bytes) {
    return (int) Math.min(BlockTable.MOST_ENTRIES, Math.max(1024, bytes / averageBlockSize));
  }
}
