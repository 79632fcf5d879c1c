package org.fastpath.offheap.restart;

import java.util.function.BooleanSupplier;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.store.BlockStore;
import org.fastpath.offheap.store.HeldBlock;
import org.fastpath.offheap.store.Pin;
import org.fastpath.offheap.store.Reservation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps blocks over a restart. The cache's file has the blocks and their records ({@link
 * CacheFileLayout}). A new process uses the blocks that it can verify.
 *
 * <p><b>Complete writes.</b> There is no log, no commit and no clean shutdown. One word decides
 * about each block: the CRC of its record, which is written last and zeroed first.
 *
 * <pre>
 *   to cache a block                      to remove one (under the cache's lock)
 *     copy its bytes                        LIVE to DEAD: no look-up finds it
 *     write the record without its CRC      zero the CRC of its record
 *     -- fence --                           -- fence --
 *     write the record's CRC                its memory and its entry may be used again, now
 *     publish: FILLING to LIVE              or when its last reader has left
 *       it was removed meanwhile:
 *       zero the CRC again
 * </pre>
 *
 * The page cache keeps the stores of a killed process in their order. So a valid record always has
 * its block's complete bytes. This is recoverable memory [1] without a log, because a cache may
 * lose blocks.
 *
 * <p><b>Correct bytes.</b> After a crash of the machine, pages may be old. So the first reader of a
 * restored block verifies a CRC32C of its bytes [2]. A start reads only records and headers ({@link
 * Restoration}).
 *
 * <p><b>The same HFile.</b> An operator may restore a directory, and HBase's blocks depend on its
 * configuration. So restored blocks of a file are misses until HBase reads one of them. If both are
 * equal, except for the header's fields about checksums, the file is confirmed; otherwise all its
 * blocks are evicted. Until then, new blocks of the file are cached but not recorded.
 *
 * <p>Restored blocks get the first pooled buffer allocator. Blocks that are not HFile blocks are
 * not recorded.
 *
 * <p>Thread-safe. The caller holds the block.
 *
 * <ol>
 *   <li>Satyanarayanan and others: Lightweight Recoverable Virtual Memory. ACM TOCS 12(1), 1994
 *   <li>Prabhakaran and others: IRON File Systems. SOSP 2005
 * </ol>
 */
public final class WarmRestart {
  private static final Logger LOG = LoggerFactory.getLogger(WarmRestart.class);

  private final BlockStore store;
  private final BlockRecords records;
  private final Events events;

  /** Counts the findings. */
  public interface Events {
    /** Reports a block that differs from its record. */
    void damaged();

    /** Reports a file that differs from its cached blocks. */
    void changed();
  }

  public WarmRestart(BlockStore store, BlockRecords records, Events events) {
    this.store = store;
    this.records = records;
    this.events = events;
  }

  /** Records a block that is filled, before it is published. */
  public void record(Reservation filled, boolean inMemory) {
    CachedFile file = filled.file();
    if (file == null || !file.isConfirmed() || BlockFlags.has(filled.flags(), BlockFlags.GENERIC)) {
      return;
    }
    int slot = file.slot();
    if (slot != CachedFile.NO_SLOT) {
      records.write(filled, file, slot, inMemory);
    }
  }

  /** Returns whether a block may be served: it is of this process, or it is verified. */
  public boolean isTrusted(HeldBlock block) {
    return !BlockFlags.has(block.flags(), BlockFlags.UNVERIFIED)
        || verify(store.record(block.entry()));
  }

  /** Returns whether it was cached by an earlier process. */
  public static boolean isRestored(HeldBlock block) {
    return BlockFlags.has(block.flags(), BlockFlags.RESTORED);
  }

  private boolean verify(HeldBlock block) {
    CachedFile file = block.file();
    boolean right = file != null && file.isConfirmed() && isSound(block, file);
    if (right) {
      block.flags(block.flags() & ~BlockFlags.UNVERIFIED);
    }
    return right;
  }

  /** Returns whether the bytes match the record. A damaged block is evicted. */
  private boolean isSound(HeldBlock block, CachedFile file) {
    boolean sound = isEqual(block);
    if (!sound && store.evict(block)) {
      events.damaged();
      LOG.warn(
          "Block {} of {} was damaged in the cache's file; HBase reads it from HDFS",
          block.offset(),
          file.name());
    }
    return sound;
  }

  /** Returns whether the checksums are equal; false also if the device cannot read a page. */
  private boolean isEqual(HeldBlock block) {
    try {
      return block.checksum() == RecordDescriptor.contentsCrc(records.record(block.entry()));
    } catch (InternalError e) {
      return false;
    }
  }

  /**
   * Compares a block that HBase has read with a restored one, to confirm the file. The new block
   * replaces the restored one, because HBase would reject a header with other fields about
   * checksums.
   *
   * @param restored of an earlier process
   * @param isSame whether its bytes are those of the block that was read
   * @param conclusive whether other bytes mean another file; otherwise they mean nothing
   */
  public void compare(Pin restored, BooleanSupplier isSame, boolean conclusive) {
    CachedFile file = restored.file();
    if (file != null && isSound(restored, file)) {
      if (isSame.getAsBoolean()) {
        file.confirm();
        store.evict(restored);
      } else if (conclusive) {
        changed(file);
      }
    }
  }

  private void changed(CachedFile file) {
    int blocks = store.evict(file.name(), 0, Long.MAX_VALUE);
    file.confirm();
    if (blocks > 0) {
      events.changed();
      LOG.warn(
          "File {} changed since the restart, so its {} cached blocks are evicted",
          file.name(),
          blocks);
    }
  }
}
