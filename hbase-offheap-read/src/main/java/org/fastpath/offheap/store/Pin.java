package org.fastpath.offheap.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentDescriptor;
import org.fastpath.offheap.memory.Memory;

/**
 * A reader's hold on a block. The block stays where it is until the last release, also when it is
 * evicted meanwhile.
 *
 * <p><b>The count</b> is that of the holders of this object, which is made for each hit. It changes
 * by compare-and-set and never leaves zero: a retain after the last release throws, and so does a
 * release too many. The block itself is given back once.
 *
 * <p><b>The place</b> of the bytes is resolved once, when the block is pinned. {@link #memory} is a
 * view that ends with the pin: by each later access to it, where accesses are checked. {@link
 * #memory} and {@link #buffer} themselves always throw then.
 *
 * <p>Any thread may release.
 */
public final class Pin extends HeldBlock implements AutoCloseable {
  private static final VarHandle HOLDERS = handle("holders", int.class);
  private static final VarHandle VIEW = handle("view", Memory.class);

  /** The region of the first part. */
  private final Memory region;

  /** Where the bytes of the first part begin in the region. */
  private final int start;

  /** Not volatile: a volatile write would cost each hit a fence. All later access is by handle. */
  private int holders = 1;

  private Memory view;

  Pin(BlockStore store, long ticket) {
    super(store, ticket);
    long location = location();
    region = store.extents.memory().memory(CacheMemory.regionOf(location));
    start = CacheMemory.offsetOf(location) + ExtentDescriptor.header(isWhole());
  }

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Pin.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The place.

  /** Whether the bytes are in one piece. */
  public boolean isWhole() {
    return !BlockFlags.has(flags(), BlockFlags.MULTI_PART);
  }

  /** A big-endian number, of which the caller knows that it is in the first part. */
  public int bigEndianInt(int at) {
    return region.bigEndianInt((long) start + at);
  }

  public long bigEndianLong(int at) {
    return region.bigEndianLong((long) start + at);
  }

  public byte getByte(int at) {
    return region.getByte((long) start + at);
  }

  /**
   * The bytes of a block in one piece, until the last release.
   *
   * @throws IllegalStateException after it
   */
  public Memory memory() {
    requireWhole();
    Memory bytes = view();
    if (bytes == null) {
      Memory made = region.view(start, length());
      bytes = VIEW.compareAndSet(this, null, made) ? made : view();
    }
    if (holders() == 0) {
      bytes.close();
    }
    requireHeld();
    return bytes;
  }

  /**
   * The same as a buffer in big-endian byte order, which keeps its region of memory reachable but
   * not its block. It is not to be used after the last release.
   */
  public ByteBuffer buffer() {
    requireHeld();
    requireWhole();
    return region.buffer(start, length());
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
    if (holders() == 0) {
      throw new IllegalStateException("block was used after its last release: " + this);
    }
  }

  // The count.

  /** How many hold this; 0 after the last release. */
  public int holders() {
    return (int) HOLDERS.getVolatile(this);
  }

  /**
   * Adds a holder.
   *
   * @throws IllegalStateException after the last release
   */
  public void retain() {
    for (int held = holders(); held > 0; held = holders()) {
      if (HOLDERS.compareAndSet(this, held, held + 1)) {
        return;
      }
    }
    throw new IllegalStateException("block was retained after its last release: " + this);
  }

  /**
   * Takes a holder away; the last one gives the block back.
   *
   * @return whether this was the last
   * @throws IllegalStateException after the last release
   */
  public boolean release() {
    for (int held = holders(); held > 0; held = holders()) {
      if (HOLDERS.compareAndSet(this, held, held - 1)) {
        if (held == 1) {
          end();
        }
        return held == 1;
      }
    }
    throw new IllegalStateException("block was released more often than retained: " + this);
  }

  private void end() {
    Memory bytes = view();
    if (bytes != null) {
      bytes.close();
    }
    store.unpin(this);
  }

  @Override
  public void close() {
    release();
  }

  /** How many others hold the block by pins of their own; exact while none comes or goes. */
  public int otherPins() {
    return store.table.holders(entry()) - 1;
  }

  @Override
  public String toString() {
    return "Pin[entry " + entry() + ", " + length() + " bytes, " + holders() + " holders]";
  }
}
