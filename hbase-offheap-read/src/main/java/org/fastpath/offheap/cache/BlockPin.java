package org.fastpath.offheap.cache;

import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.RefCnt;

/**
 * The reference count that a block in a reader's hand has: one object for each hit, counted by the
 * readers that share the hit, and when it comes to zero the block is given back to the {@link
 * BlockTable}. Two hits of one block share no object, so there is no contention between readers.
 *
 * <p>HBase's RefCnt would take the release as a Recycler, an object more, and ask Netty's leak
 * detector for every hit; so the count is ours by overriding, and leaks are found by {@link
 * PinTracker}.
 */
class BlockPin extends RefCnt {
  private final BlockTable table;
  private final int ticket;

  /**
   * @param ticket of {@link BlockTable#acquire}; it is given back by this object from now on
   */
  BlockPin(BlockTable table, int ticket) {
    super(ByteBuffAllocator.NONE);
    this.table = table;
    this.ticket = ticket;
  }

  /** True, so that a ByteBuff checks the count before each access. */
  @Override
  public final boolean hasRecycler() {
    return true;
  }

  @Override
  public final boolean release() {
    return released(super.release());
  }

  @Override
  public final boolean release(int decrement) {
    return released(super.release(decrement));
  }

  private boolean released(boolean last) {
    if (last) {
      closed();
      table.release(ticket);
    }
    return last;
  }

  /** Nobody reads the block by this reference any more; it is still there. */
  void closed() {}
}
