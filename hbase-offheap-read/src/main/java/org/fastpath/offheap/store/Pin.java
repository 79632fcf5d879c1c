package org.fastpath.offheap.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.index.Ticket;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentDescriptor;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;

/**
 * A reader's pin of a block. The block stays in its place until the last release, even if it is
 * evicted meanwhile.
 *
 * <p><b>The count</b> is that of the holders of this object, which is made for each hit. It changes
 * by compare-and-set and never leaves zero: a retain after the last release, or one release too
 * many, throws. The block itself is released once.
 *
 * <p><b>The place</b> of the bytes does not change while the block is pinned. {@link #memory} is a
 * view that ends with the pin; if accesses are checked, each later access throws. {@link #memory}
 * and {@link #buffer} themselves always throw then.
 *
 * <p><b>32 bytes</b> with compressed references: each hit makes a pin, so the count and the stripe
 * of the table's counters share a word.
 *
 * <p>Any thread may release.
 */
public final class Pin extends HeldBlock implements Hold, AutoCloseable {
  private static final VarHandle STATE = handle("state", int.class);
  private static final VarHandle VIEW = handle("view", Memory.class);

  private static final int HOLDER = 1 << Ticket.STRIPE_BITS;

  /**
   * The stripe in the lowest bits; above them the number of holders minus one, so -1 after the last
   * release. It is not volatile, because a volatile write in the constructor would cost each hit a
   * fence. All later access is by handle.
   */
  private int state;

  private Memory view;

  Pin(BlockStore store, long ticket) {
    super(store, ticket);
    state = Ticket.stripe(ticket);
    // Like for a final field: a thread that gets the pin by a race must not see another stripe.
    VarHandle.storeStoreFence();
  }

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Pin.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The place.

  /** Returns whether the bytes are in one piece. */
  public boolean isWhole() {
    return !BlockFlags.has(flags(), BlockFlags.MULTI_PART);
  }

  /** Returns the region of the first part, for reading several numbers. */
  public Memory region() {
    return region(location());
  }

  /** Returns the region of the first part, which is at {@link #location}. */
  public Memory region(long location) {
    return store.extents.memory().memory(CacheMemory.regionOf(location));
  }

  /** Returns the offset of the first part's bytes in its region. */
  public long start() {
    return start(location(), isWhole());
  }

  /** Returns the offset of bytes in their region for a first part at a location. */
  public static long start(long location, boolean whole) {
    return CacheMemory.offsetOf(location) + ExtentDescriptor.header(whole);
  }

  /**
   * Returns the bytes of a block in one piece, valid until the last release.
   *
   * @throws IllegalStateException after it
   */
  @Override
  public Memory memory() {
    requireHeld();
    requireWhole();
    Memory bytes = view();
    if (bytes == null) {
      Memory made = region().view(start(), length());
      bytes = VIEW.compareAndSet(this, null, made) ? made : view();
    }
    if (state() < 0) {
      bytes.close();
    }
    requireHeld();
    return bytes;
  }

  /**
   * Returns the same as a buffer in big-endian byte order, which keeps its region of memory
   * reachable but not its block. Do not use it after the last release.
   */
  @Override
  public ByteBuffer buffer() {
    requireHeld();
    requireWhole();
    return region().buffer(start(), length());
  }

  private Memory view() {
    return (Memory) VIEW.getVolatile(this);
  }

  private void requireWhole() {
    if (!isWhole()) {
      throw new IllegalStateException("block is in several parts: " + this);
    }
  }

  private void requireHeld() {
    if (state() < 0) {
      throw new IllegalStateException("block was used after its last release: " + this);
    }
  }

  // The count.

  private int state() {
    return (int) STATE.getVolatile(this);
  }

  /** Returns the number of holders; 0 after the last release. */
  @Override
  public int holders() {
    return (state() >> Ticket.STRIPE_BITS) + 1;
  }

  /**
   * Adds a holder.
   *
   * @throws IllegalStateException after the last release
   */
  @Override
  public void retain() {
    for (int held = state(); held >= 0; held = state()) {
      if (STATE.compareAndSet(this, held, Math.addExact(held, HOLDER))) {
        return;
      }
    }
    throw new IllegalStateException("block was retained after its last release: " + this);
  }

  /**
   * Removes a holder. The last one releases the block.
   *
   * @return whether this was the last
   * @throws IllegalStateException after the last release
   */
  @Override
  public boolean release() {
    // Loaded before the count changes, because loads after an atomic change wait for it.
    Memory counters = store.table.counters(entry());
    for (int held = state(); held >= 0; held = state()) {
      if (STATE.compareAndSet(this, held, held - HOLDER)) {
        if (held < HOLDER) {
          end(counters, held);
        }
        return held < HOLDER;
      }
    }
    throw new IllegalStateException("block was released more often than retained: " + this);
  }

  private void end(Memory counters, int stripe) {
    Memory bytes = view();
    if (bytes != null) {
      bytes.close();
    }
    try {
      store.unpinned(this);
    } finally {
      store.table.release(counters, slab(), entry(), stripe);
    }
  }

  @Override
  public void close() {
    release();
  }

  /** Returns the number of other pins of the block; exact while none changes. */
  public int otherPins() {
    return store.table.holders(entry()) - 1;
  }

  @Override
  public String toString() {
    return "Pin[entry " + entry() + ", " + length() + " bytes, " + holders() + " holders]";
  }
}
