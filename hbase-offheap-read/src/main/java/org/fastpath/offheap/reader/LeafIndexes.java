package org.fastpath.offheap.reader;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * The {@link LeafIndex}es of a file whose index has two levels. A leaf is copied when HBase reads
 * it for a search. All files together keep at most 1/{@value #SHARE} of the heap; beyond it HBase
 * searches leaves of further files.
 *
 * <p>Thread-safe.
 */
public final class LeafIndexes {
  private static final int SHARE = 50;
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
   * Copies a leaf.
   *
   * @param block held by the caller
   * @param bytes its size in the file
   */
  public synchronized void learn(int number, HFileBlock block, long bytes) {
    int entries = LeafIndex.count(block.getBufferWithoutHeader());
    long heap = LeafIndex.bytes(entries);
    if (closed || entries <= 0 || leaves.get(number) != null) {
      return;
    }
    if (USED.addAndGet(heap) > Runtime.getRuntime().maxMemory() / SHARE) {
      USED.addAndGet(-heap);
      return;
    }
    leaves.set(number, new LeafIndex(block.getOffset(), bytes, block.getBufferWithoutHeader()));
  }

  /** Drops the leaves. */
  public synchronized void close() {
    closed = true;
    for (int i = 0; i < leaves.length(); i++) {
      LeafIndex leaf = leaves.getAndSet(i, null);
      USED.addAndGet(leaf == null ? 0 : -leaf.bytes());
    }
  }
}
