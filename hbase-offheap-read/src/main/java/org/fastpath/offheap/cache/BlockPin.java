package org.fastpath.offheap.cache;

import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.MemoryOwner;

/**
 * A {@link Hold} as the reference count that HBase asks for. All counting is the hold's; the count
 * that this class inherits is not used.
 *
 * <p>HBase's RefCnt would take the release as a Recycler, an object more, and ask Netty's leak
 * detector for every hit; leaks are found by the store's tracker of pins.
 */
final class BlockPin extends RefCnt implements MemoryOwner {
  private final Hold pin;

  /**
   * A count over a hold.
   *
   * @param pin is released by this object from now on
   */
  BlockPin(Hold pin) {
    super(ByteBuffAllocator.NONE);
    this.pin = pin;
  }

  @Override
  public Memory memory() {
    return pin.memory();
  }

  /** True, so that a ByteBuff checks the count before each access. */
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
    pin.retain();
    return this;
  }

  @Override
  public BlockPin retain(int increment) {
    for (int i = 0; i < increment; i++) {
      pin.retain();
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
