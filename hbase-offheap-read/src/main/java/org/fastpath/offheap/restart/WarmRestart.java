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
 * A cache that outlives its process: blocks are recorded in the file that they lie in ({@link
 * CacheFileLayout}), and a process that opens the file begins with those that can be proved to be
 * right. Three questions are asked of a block before it is served: was it written whole, is it what
 * was written, and is the HFile still the one that it was read from.
 *
 * <p><b>Was it written whole.</b> There is no log, no commit and no clean shutdown: what counts is
 * one word for each block, the CRC of its record, which is written last and zeroed first.
 *
 * <pre>
 *   to cache a block                      to remove one (under the cache's lock)
 *     copy its bytes                        LIVE to DEAD: nobody finds it any more
 *     write the record, but its CRC         zero the CRC of its record
 *     -- fence --                           -- fence --
 *     write the record's CRC                its memory and its entry may be used again, now
 *     publish: FILLING to LIVE              or when its last reader has left
 *       it was removed meanwhile:
 *       zero the CRC again
 * </pre>
 *
 * A process that is killed leaves its stores in the page cache in the order in which it made them,
 * so at every moment a record that counts has its block's bytes behind it: nothing of them was
 * overwritten before the record was cleared, and none was missing when it was sealed. That is
 * recoverable memory [1] without a log, which a cache can do without, because it may forget. In the
 * window between the removal of a block that is being filled and the second zeroing, a block may
 * survive that was evicted: it is right, and unwanted only.
 *
 * <p><b>Is it what was written.</b> When the machine stops, pages of a file on a disk are as old as
 * the kernel left them, in any mixture, and disks lose bits. So the record has a CRC32C of the
 * block's bytes [2], and the first reader of each block verifies it: a start reads the records and
 * the headers of extents only, a terabyte of blocks is verified as it is used, and a block pays
 * once what copying it in cost. Two readers that verify one block at the same time do it twice,
 * which is harmless. Records are checked one by one at the start ({@link Restoration}): a pointer
 * that leads out of the memory, or two that lead to the same place, are refused there.
 *
 * <p><b>Is the HFile the same.</b> Names of HFiles are random and their contents never change, but
 * an operator may restore a directory, and how HBase hands over blocks depends on its configuration
 * (compressed or not, with checksums or not) and perhaps on its version. Asking the file system for
 * a length and a time would say little about that, and cost a call for each file. HBase says it by
 * itself: blocks of a file that came back are misses until HBase has read one of them from the file
 * system and hands it to the cache. The two are compared, header and contents. If they are equal,
 * the file is confirmed and all its blocks are hits from then on; if not, all of them go. So a file
 * costs one read of a block that was cached already. What is left out of the comparison is what the
 * header says about checksums, which depends on HBase's version and on whether the block was cached
 * when it was read or when it was written.
 *
 * <p>Until then blocks of the file that come in are cached and served as ever, but not recorded:
 * with blocks of before and of after a change in one file, the next process might confirm the file
 * by one kind and serve the other.
 *
 * <p>What HBase uses to unpack a block, its allocator of buffers, belongs to the process: blocks
 * that come back get the first pooled one that any block comes with, see {@link Restoration}.
 * Blocks that are not HFile blocks (only tests have such) are not recorded, because their
 * deserializers are numbered anew in each process.
 *
 * <p>Safe from any thread. Each method is called for a block that the caller holds.
 *
 * <ol>
 *   <li>Satyanarayanan, Mashburn, Kumar, Steere, Kistler: Lightweight Recoverable Virtual Memory.
 *       ACM TOCS 12(1), 1994
 *   <li>Prabhakaran, Bairavasundaram, Agrawal, Gunawi, Arpaci-Dusseau: IRON File Systems. SOSP 2005
 * </ol>
 */
public final class WarmRestart {
  private static final Logger LOG = LoggerFactory.getLogger(WarmRestart.class);

  private final BlockStore store;
  private final BlockRecords records;
  private final Events events;

  /** Counts the findings. */
  public interface Events {
    /** A block was not what had been recorded. */
    void damaged();

    /** A file was not what had been cached of it. */
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

  /** Whether a block may be served: it is of this process, or has been proved to be right. */
  public boolean isTrusted(Pin block) {
    return !BlockFlags.has(block.flags(), BlockFlags.UNVERIFIED) || verify(block);
  }

  /** Whether it was cached by an earlier process. */
  public static boolean isRestored(HeldBlock block) {
    return BlockFlags.has(block.flags(), BlockFlags.RESTORED);
  }

  private boolean verify(Pin block) {
    CachedFile file = block.file();
    boolean right = file != null && file.isConfirmed() && isSound(block, file);
    if (right) {
      block.flags(block.flags() & ~BlockFlags.UNVERIFIED);
    }
    return right;
  }

  /** Whether the contents are what was recorded; a block that is damaged leaves the cache. */
  private boolean isSound(Pin block, CachedFile file) {
    boolean sound = block.checksum() == RecordDescriptor.contentsCrc(records.record(block.entry()));
    if (!sound && store.evict(block)) {
      events.damaged();
      LOG.warn("Block {} of {} was damaged in the cache", block.offset(), file.name());
    }
    return sound;
  }

  /**
   * Learns from a block that HBase has read whether the file of one that came back is the same. It
   * takes the other's place then: its header may say other things about checksums, which HBase
   * would take for an error.
   *
   * @param restored of an earlier process
   * @param isSame whether its bytes are those of the block that was read
   */
  public void compare(Pin restored, BooleanSupplier isSame) {
    CachedFile file = restored.file();
    if (file != null && isSound(restored, file)) {
      if (isSame.getAsBoolean()) {
        file.confirm();
        store.evict(restored);
      } else {
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
          "File {} is not what it was before the restart; its {} cached blocks are dropped",
          file.name(),
          blocks);
    }
  }
}
