package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * The cached blocks of half a file, which leave the cache when the half is compacted away. HBase
 * 2.6.4 does this too, by a scanner that it never closes: the block with the split key stays pinned
 * in the cache for good. Older versions evict nothing of the other file, and so do we there.
 *
 * <p>Safe from any thread.
 */
public final class HalfFileBlocks {
  private static final MethodHandle EVICT_RANGE = evictRange();

  private HalfFileBlocks() {}

  private static MethodHandle evictRange() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(
              BlockCache.class,
              "evictBlocksRangeByHfileName",
              MethodType.methodType(int.class, String.class, long.class, long.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether this version of HBase can evict a part of a file. */
  public static boolean canBeEvicted() {
    return EVICT_RANGE != null;
  }

  /**
   * Evicts them, with what is cached by the name of the reference.
   *
   * @param split the first possible key of the top half
   */
  public static void evict(
      BlockCache cache, HFile.Reader reader, Configuration conf, boolean top, Cell split)
      throws IOException {
    long offset = offsetOfBlock(reader, conf, split);
    if (offset >= 0) {
      String reference = reader.getHFileInfo().getHFileContext().getHFileName();
      String file = StoreFileInfo.getReferredToRegionAndFile(reference).getSecond();
      evictRange(cache, file, top ? offset : 0, top ? Long.MAX_VALUE : offset);
      cache.evictBlocksByHfileName(reference);
    }
  }

  /** Where the block is in which the key is or would be; negative if it is before all blocks. */
  private static long offsetOfBlock(HFile.Reader reader, Configuration conf, Cell key)
      throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, false, true, false)) {
      scanner.seekTo(key);
      HFileBlock block = ((HFileReaderImpl.HFileScannerImpl) scanner).curBlock;
      return block == null ? -1 : block.getOffset();
    }
  }

  private static void evictRange(BlockCache cache, String file, long from, long to) {
    try {
      EVICT_RANGE.invoke(cache, file, from, to);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a method without checked exceptions", e);
    }
  }
}
