package org.fastpath.zcr.hbase;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.zcr.Slice;

/**
 * Holds a block in a mapping until the last release. It owns the slice and by it the mapping's pin.
 * Any thread may release.
 */
final class MappedHold implements Hold {
  private static final VarHandle HOLDERS = holdersHandle();

  private final Slice slice;
  private final Memory memory;

  /** The block's index, or null. */
  private final Memory index;

  private volatile int holders = 1;

  /** Takes over a slice. */
  MappedHold(Slice slice, Memory index) {
    this.slice = slice;
    this.index = index;
    memory = Memory.of(slice.buffer());
  }

  private static VarHandle holdersHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(MappedHold.class, "holders", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Override
  public int holders() {
    return holders;
  }

  @Override
  public void addHolder() {
    change(1);
  }

  @Override
  public boolean release() {
    boolean last = change(-1) == 0;
    if (last) {
      memory.close();
      if (index != null) {
        index.close();
      }
      BlockMetrics.released();
      slice.close();
    }
    return last;
  }

  private int change(int by) {
    for (int held = holders; held > 0; held = holders) {
      if (HOLDERS.compareAndSet(this, held, held + by)) {
        return held + by;
      }
    }
    throw new IllegalStateException("block was used after its last release: " + slice);
  }

  private void requireHeld() {
    if (holders == 0) {
      throw new IllegalStateException("block was used after its last release: " + slice);
    }
  }

  @Override
  public Memory memory() {
    requireHeld();
    return memory;
  }

  @Override
  public ByteBuffer buffer() {
    requireHeld();
    return slice.buffer().duplicate();
  }

  @Override
  public Memory indexMemory() {
    requireHeld();
    return index;
  }
}
