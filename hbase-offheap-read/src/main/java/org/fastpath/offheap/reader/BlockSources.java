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
 * <p>If such memory is not within reach, the reader prepares it in two cases. The cache does not
 * have the block either, or it is one in {@link #HITS_A_TRY} hits of the cache. The second case
 * finds a file that enters such memory while it is cached. A file that never enters it costs one
 * check per hit.
 *
 * <p>Thread-safe.
 */
public final class BlockSources {
  private static final Logger LOG = LoggerFactory.getLogger(BlockSources.class);

  /** A power of two. */
  static final int HITS_A_TRY = 64;

  private static final List<BlockSourceProvider> PROVIDERS = providers();

  /** The memory of another jar, or null. */
  private final BlockSource uncached;

  /** Our cache, or null. */
  private final CachedBlocks cached;

  /** Cache hits, for the choice of the next try. Lost updates do not matter. */
  private int hits;

  private final String file;

  private BlockSources(HFile.Reader file, CacheConfig cache, Configuration store) {
    this.file = file.getName();
    cached = CachedBlocks.of(file, cache);
    uncached = open(file, cache, store);
    // Only the reader for random reads is registered. Readers for streaming come and go.
    if (uncached != null && file.getContext().getReaderType() == ReaderType.PREAD) {
      HeldElsewhere.add(this.file, uncached);
    }
  }

  /** Opens the sources of a file. If a provider fails, the file has no source of it. */
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
      LOG.warn(
          "The off-heap reader reads the cache only, because a provider of {} "
              + "cannot be loaded",
          BlockSourceProvider.class.getName(),
          e);
    }
    return List.copyOf(found);
  }

  /** Returns a block in memory outside of the cache, held for the caller, or null. */
  public HFileBlock uncached(long offset, boolean caching) {
    return uncached == null ? null : uncached.dataBlock(offset, caching);
  }

  /** Returns a cached block, held for the caller, or null. */
  public HFileBlock cached(long offset, boolean caching) {
    HFileBlock block = cached == null ? null : cached.dataBlock(offset, caching);
    if (block == null || uncached == null || (++hits & HITS_A_TRY - 1) != 0) {
      return block;
    }
    boolean given = false;
    try {
      prepare(offset);
      given = true;
      return block;
    } finally {
      if (!given) {
        block.release();
      }
    }
  }

  /**
   * Like {@link #uncached}, but prepares the memory if necessary. A thread that reads memory only
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
