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
 * The checked configuration of the cache in hbase-site.xml.
 *
 * @param size bytes for cached blocks
 * @param averageBlockSize minimum mean size of a block, which limits the number of blocks
 * @param inMemoryShare the part of the cache in which blocks of IN_MEMORY families are preferred
 * @param file of a cache that survives a restart; null for anonymous memory
 * @param indexed whether data blocks are indexed for the off-heap reader
 * @param debug whether freed memory is overwritten and readers are tracked
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

  private static final long MIN_SIZE = 4L << 20;
  private static final long MAX_SIZE = 1L << 46;
  private static final long MIN_REGION = 4L << 20;
  private static final long MAX_REGION = CacheMemory.MAX_REGION_BYTES;
  private static final int DEFAULT_AVERAGE_BLOCK_SIZE = 8 << 10;
  private static final int MIN_AVERAGE_BLOCK_SIZE = 256;
  private static final int MAX_AVERAGE_BLOCK_SIZE = 16 << 20;
  private static final float DEFAULT_IN_MEMORY_SHARE = 0.25f;

  /** The part of {@code -XX:MaxDirectMemorySize} for the cache if no size is set. */
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
                    MIN_AVERAGE_BLOCK_SIZE,
                    MAX_AVERAGE_BLOCK_SIZE),
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
              + ": only one second-level cache is possible. Remove it to use this cache (and give"
              + " its size by "
              + SIZE
              + "), or remove the class from hbase.regionserver.impl to use BucketCache");
    }
  }

  /** Returns the configured size, or a part of the explicitly configured direct memory. */
  static long size(Configuration conf) {
    if (!conf.getTrimmed(SIZE, "").isEmpty()) {
      return bytes(conf, SIZE, 0, MIN_SIZE, MAX_SIZE);
    }
    long direct = DirectMemory.option();
    if (direct == 0) {
      throw new CacheConfigurationException(
          SIZE
              + " is not set, and neither is -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in"
              + " hbase-env.sh), of which 70 % would be taken. Set one of them; allowed is "
              + range(MIN_SIZE, MAX_SIZE));
    }
    return Math.max(MIN_SIZE, (long) (direct * DEFAULT_SHARE_OF_DIRECT_MEMORY));
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
      // Rejected below, like a number out of range.
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
    if (size / averageBlockSize > BlockTable.MAX_ENTRIES) {
      throw notAllowed(
          AVERAGE_BLOCK_SIZE,
          String.valueOf(averageBlockSize),
          "at least "
              + (size / BlockTable.MAX_ENTRIES + 1)
              + " for a cache of "
              + size
              + " bytes, because the maximum is "
              + BlockTable.MAX_ENTRIES
              + " blocks");
    }
  }

  /** Returns the bytes of a region: the step of a resize, at most a sixteenth of the cache. */
  int regionBytes() {
    long sixteenth = Long.highestOneBit(size >> 4);
    return (int) Math.min(MAX_REGION, Math.max(MIN_REGION, sixteenth));
  }

  /** Returns the layout of the file. */
  CacheFileLayout fileLayout() {
    return new CacheFileLayout(size - size % CacheMemory.PAGE, regionBytes(), blocks(size));
  }

  /** Returns the maximum number of blocks in a cache of so many bytes. */
  int blocks(long bytes) {
    return (int) Math.min(BlockTable.MAX_ENTRIES, Math.max(1024, bytes / averageBlockSize));
  }
}
