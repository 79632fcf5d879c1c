package org.fastpath.offheap.memory;

import java.nio.ByteBuffer;

/** Regions of direct memory. It is zeroed, which touches every page. */
final class DirectRegions implements CacheMemory.Source {
  private static final int CACHE_LINE = 64;

  /** Returns the limit in advance, so that a terabyte is not zeroed before a rejection. */
  @Override
  public long limit() {
    return DirectMemory.limit();
  }

  @Override
  public CacheMemory.Region open(int bytes) {
    ByteBuffer root = Memory.buffer(bytes + CACHE_LINE);
    return CacheMemory.Region.of(root, root.alignedSlice(CACHE_LINE).slice(0, bytes));
  }

  @Override
  public void release(CacheMemory.Region region) {
    Memory.free(region.root());
  }

  @Override
  public String refusal(long bytes) {
    return DirectMemory.refusal(bytes);
  }

  @Override
  public void close() {
    // There is nothing else to close.
  }
}
