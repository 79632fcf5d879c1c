package org.fastpath.offheap.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the sources of a file for each block: first the memory of other jars, then the cache.
 *
 * <p>Where such memory is not within reach, it is prepared when the cache has no block either, and
 * at one in {@link #HITS_A_TRY} hits of the cache: a file may come into such memory while it is
 * cached. So a file that never does costs a hit a look.
 *
 * <p>Safe from any thread.
 */
public final class BlockSources {
  private static final Logger LOG = LoggerFactory.getLogger(BlockSources.class);

  /** A power of two. */
  static final int HITS_A_TRY = 64;

  private static final List<BlockSourceProvider> PROVIDERS = providers();

  /** Null if there is no such memory. */
  private final BlockSource uncached;

  /** Null if there is no cache of ours. */
  private final CachedBlocks cached;

  /** Hits of the cache since the last try; lost updates do not matter. */
  private int hits;

  private final String file;

  private BlockSources(HFile.Reader file, CacheConfig cache, Configuration store) {
    this.file = file.getName();
    cached = CachedBlocks.of(file, cache);
    uncached = open(file, cache, store);
    // Readers that stream a file exist beside the one that counts.
    if (uncached != null && file.getContext().getReaderType() == ReaderType.PREAD) {
      HeldElsewhere.add(this.file, uncached);
    }
  }

  /** Opens the sources of a file. A provider that fails is one that has nothing of the file. */
  public static BlockSources of(HFile.Reader file, CacheConfig cache, Configuration store) {
    return new BlockSources(file, cache, store);
  }

  private BlockSource open(HFile.Reader file, CacheConfig cache, Configuration store) {
    for (BlockSourceProvider provider : PROVIDERS) {
      try {
        BlockSource source =
            provider.open(file, cache.getByteBuffAllocator(), store, this::firstRead);
        if (source != null) {
          return source;
        }
      } catch (RuntimeException | LinkageError e) {
        ReaderMetrics.sourceFailed(file.getName(), e);
      }
    }
    return null;
  }

  private static List<BlockSourceProvider> providers() {
    List<BlockSourceProvider> found = new ArrayList<>();
    try {
      ServiceLoader.load(BlockSourceProvider.class, BlockSources.class.getClassLoader())
          .forEach(found::add);
    } catch (ServiceConfigurationError | LinkageError e) {
      LOG.warn("Memory beside the cache is not read: {}", BlockSourceProvider.class.getName(), e);
    }
    return List.copyOf(found);
  }

  /** Returns a block in memory that is not a cache's, held for the caller, or null. */
  public HFileBlock uncached(long offset, boolean caching) {
    return uncached == null ? null : uncached.dataBlock(offset, caching);
  }

  /** Returns a cached block, held for the caller, or null. */
  public HFileBlock cached(long offset, boolean caching) {
    HFileBlock block = cached == null ? null : cached.dataBlock(offset, caching);
    if (block != null && uncached != null && (++hits & HITS_A_TRY - 1) == 0) {
      prepare(offset);
    }
    return block;
  }

  /**
   * As {@link #uncached}, of memory that may have to be prepared. A thread that reads memory only
   * does not prepare any.
   */
  public HFileBlock prepared(long offset, boolean caching) {
    return uncached != null && prepare(offset) ? uncached.dataBlock(offset, caching) : null;
  }

  private boolean prepare(long offset) {
    return !MemoryOnly.isOn() && uncached.prepare(offset);
  }

  private void firstRead(long offset) {
    if (cached != null) {
      cached.drop(offset);
    }
  }

  /** Closes the sources. */
  public void close() {
    if (uncached != null) {
      HeldElsewhere.remove(file, uncached);
      uncached.close();
    }
  }
}
