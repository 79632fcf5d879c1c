package org.fastpath.offheap.cache;

import java.util.function.IntPredicate;

/** Blocks leave in the order in which they came. */
final class FifoPolicy implements EvictionPolicy {
  private static final int LOOKED_AT = 64;

  private final Entries entries;
  private int newest = Entries.NONE;
  private int oldest = Entries.NONE;

  FifoPolicy(Entries entries) {
    this.entries = entries;
  }

  @Override
  public void recordHit(int entry) {
    // The order does not depend on hits.
  }

  @Override
  public void add(int entry, long hash, boolean inMemory) {
    entries.policyPrevious(entry, Entries.NONE);
    entries.policyNext(entry, newest);
    if (newest == Entries.NONE) {
      oldest = entry;
    } else {
      entries.policyPrevious(newest, entry);
    }
    newest = entry;
  }

  @Override
  public void remove(int entry) {
    int previous = entries.policyPrevious(entry);
    int next = entries.policyNext(entry);
    if (previous == Entries.NONE) {
      newest = next;
    } else {
      entries.policyNext(previous, next);
    }
    if (next == Entries.NONE) {
      oldest = previous;
    } else {
      entries.policyPrevious(next, previous);
    }
  }

  @Override
  public int evict(IntPredicate evictable) {
    int entry = oldest;
    for (int i = 0; i < LOOKED_AT && entry != Entries.NONE; i++) {
      if (evictable.test(entry)) {
        remove(entry);
        return entry;
      }
      entry = entries.policyPrevious(entry);
    }
    return Entries.NONE;
  }

  @Override
  public void resize(long bytes) {
    // The order does not depend on the size.
  }

  @Override
  public long metadataBytes() {
    return 0;
  }
}
