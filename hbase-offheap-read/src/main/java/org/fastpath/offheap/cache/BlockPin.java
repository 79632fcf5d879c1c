package org.fastpath.offheap.cache;

import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.MemoryOwner;

/**
 * Adapts a {@link Hold} to HBase's reference count. The hold counts; the inherited count is not
 * used.
 *
 * <p>HBase's RefCnt would need a Recycler, one more object, and call Netty's leak detector for
 * every hit. The store's tracker of pins finds leaks.
 */
final class BlockPin extends RefCnt implements MemoryOwner {
  private final Hold pin;

  /**
   * Makes a count over a hold.
   *
   * @param pin released by this object
   */
  BlockPin(Hold pin) {
    super(ByteBuffAllocator.NONE);
    this.pin = pin;
  }

  @Override
  public Memory memory() {
    return pin.memory();
  }

  /** Returns true, so that a ByteBuff checks the count before each access. */
  @Override
  public boolean hasRecycler() {
    return true;
  }

  @Override
  public int refCnt() {
    return pin.holders();
  }

  @Override
  public BlockPin retain() {
    pin.addHolder();
    return this;
  }

  @Override
  public BlockPin retain(int increment) {
    for (int i = 0; i < increment; i++) {
      pin.addHolder();
    }
    return this;
  }

  @Override
  public boolean release() {
    return pin.release();
  }

  @Override
  public boolean release(int decrement) {
    boolean last = false;
    for (int i = 0; i < decrement; i++) {
      last = pin.release();
    }
    return last;
  }
}
