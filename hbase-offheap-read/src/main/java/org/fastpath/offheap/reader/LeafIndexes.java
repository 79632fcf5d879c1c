package org.fastpath.offheap.reader;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * The {@link LeafIndex}es of a file whose index has two levels. A leaf is copied when HBase reads
 * it for a search. All files together keep about 1/{@value #SHARE} of the heap; beyond it HBase
 * searches further leaves.
 *
 * <p>Thread-safe.
 */
public final class LeafIndexes {
  private static final int SHARE = 50;
  private static final long LIMIT = Runtime.getRuntime().maxMemory() / SHARE;
  private static final AtomicLong USED = new AtomicLong();

  private final AtomicReferenceArray<LeafIndex> leaves;
  private boolean closed;

  /** Creates the indexes of a file with the given number of leaves. */
  public LeafIndexes(int count) {
    leaves = new AtomicReferenceArray<>(count);
  }

  /** Returns the bytes of heap that the leaves of all files take. */
  public static long used() {
    return USED.get();
  }

  /** Returns a leaf, or null if it was not read yet. */
  public LeafIndex get(int number) {
    return leaves.get(number);
  }

  /**
   * Copies a leaf if there is room.
   *
   * @param block held by the caller
   * @param bytes its size in the file
   */
  public void learn(int number, HFileBlock block, long bytes) {
    ByteBuff contents = block.getBufferWithoutHeader();
    int entries = LeafIndex.count(contents);
    if (entries > 0 && USED.get() + LeafIndex.bytes(entries) <= LIMIT) {
      put(number, new LeafIndex(block.getOffset(), bytes, contents));
    }
  }

  private synchronized void put(int number, LeafIndex leaf) {
    if (!closed && leaves.get(number) == null) {
      leaves.set(number, leaf);
      USED.addAndGet(leaf.bytes());
    }
  }

  /** Drops the leaves. */
  public synchronized void close() {
    closed = true;
    for (int i = 0; i < leaves.length(); i++) {
      LeafIndex leaf = leaves.getAndSet(i, null);
      if (leaf != null) {
        USED.addAndGet(-leaf.bytes());
      }
    }
  }
}
