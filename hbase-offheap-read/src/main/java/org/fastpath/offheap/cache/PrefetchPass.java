package org.fastpath.offheap.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells HBase's prefetch which cached blocks it may skip. HBase 2.6 remembers the size of the block
 * behind the last one that it read, and passes it to the next read. If it skipped blocks between
 * the two, the size is that of another block, and the prefetch of the file ends with an exception.
 *
 * <p>So a block that was read is made to forget that size where the next block is cached: HBase
 * then reads the size from the header of the block that it reads next. Some blocks cannot be
 * reached. Behind an index or Bloom filter block the prefetch reads one cached block, which then
 * forgets. In a family with {@code IN_MEMORY} whose blocks are cached compressed, it reads the rest
 * of the file.
 *
 * <p>Each thread that prefetches has its own pass over a file. Safe from any thread.
 */
final class PrefetchPass {
  private static final Logger LOG = LoggerFactory.getLogger(PrefetchPass.class);
  private static final String THREADS = "hfile-prefetch-";
  private static final String FIELD = "nextBlockOnDiskSize";
  private static final int UNKNOWN = -1;
  private static final ThreadLocal<PrefetchPass> LAST = new ThreadLocal<>();

  /** The size that a block knows of the next one; null where HBase has no such field. */
  private static final VarHandle NEXT_SIZE = nextSize();

  private final String file;
  private final long offset;

  /** Whether HBase may pass a size to the next read. */
  private final boolean knowsSize;

  private PrefetchPass(String file, long offset, boolean knowsSize) {
    this.file = file;
    this.offset = offset;
    this.knowsSize = knowsSize;
  }

  private static VarHandle nextSize() {
    try {
      return MethodHandles.privateLookupIn(HFileBlock.class, MethodHandles.lookup())
          .findVarHandle(HFileBlock.class, FIELD, int.class);
    } catch (ReflectiveOperationException e) {
      LOG.warn("Prefetches read cached blocks again: HFileBlock has no {}", FIELD, e);
      return null;
    }
  }

  /**
   * Whether this thread prefetches. It may read blocks again that are cached, and HBase may have
   * cached a block compressed that it now caches unpacked. So a difference is no error.
   */
  static boolean isPrefetch() {
    return Thread.currentThread().getName().startsWith(THREADS);
  }

  /**
   * Whether the thread may skip a block of a file.
   *
   * @param cached whether the block is cached
   */
  static boolean maySkip(String file, long offset, boolean cached) {
    if (!isPrefetch()) {
      return cached;
    }
    PrefetchPass last = LAST.get();
    boolean goesOn = last != null && last.file.equals(file) && last.offset < offset;
    boolean reads = !cached || goesOn && last.knowsSize;
    LAST.set(new PrefetchPass(file, offset, reads));
    return !reads;
  }

  /** Says which blocks are cached. */
  @FunctionalInterface
  interface Cached {
    boolean contains(String file, long offset);
  }

  /**
   * The thread has read a block, and asks the block for the size of the next one when this returns.
   *
   * @param block the object that HBase asks
   */
  static void wasRead(HFileBlock block, Cached cached) {
    PrefetchPass last = isPrefetch() ? LAST.get() : null;
    if (last != null
        && last.knowsSize
        && NEXT_SIZE != null
        && cached.contains(last.file, last.offset + block.getOnDiskSizeWithHeader())) {
      NEXT_SIZE.set(block, UNKNOWN);
      LAST.set(new PrefetchPass(last.file, last.offset, false));
    }
  }
}
