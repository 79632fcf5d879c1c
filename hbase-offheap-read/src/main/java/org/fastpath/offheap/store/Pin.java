package org.fastpath.offheap.store;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.fastpath.offheap.memory.Hold;
import org.fastpath.offheap.memory.Memory;

/**
 * A reader's pin of a block. The block stays in its place until the last release, even if it is
 * evicted meanwhile. {@link Holders} counts its holders.
 *
 * <p><b>The place</b> of the bytes does not change while the block is pinned. {@link #memory} is a
 * view that ends with the pin; if accesses are checked, each later access throws. {@link #memory}
 * and {@link #buffer} themselves always throw then.
 *
 * <p>Any thread may release.
 */
public final class Pin extends HeldBlock implements Hold, AutoCloseable {
  private static final Holders<Pin> HOLDERS =
      new Holders<>(
          AtomicIntegerFieldUpdater.newUpdater(Pin.class, "state"),
          AtomicReferenceFieldUpdater.newUpdater(Pin.class, Memory.class, "view"));

  // Fields of HOLDERS.
  private volatile int state;
  private volatile Memory view;

  Pin(PinTicket ticket) {
    super(ticket);
    HOLDERS.begin(this, ticket);
  }

  /**
   * Returns the bytes of a block in one piece, valid until the last release. An index that is apart
   * is not among them.
   *
   * @throws IllegalStateException after it
   */
  @Override
  public Memory memory() {
    return HOLDERS.memory(this, store, entry());
  }

  @Override
  public Memory indexMemory() {
    return HOLDERS.index(this, store, entry());
  }

  /**
   * Returns the bytes as a buffer in big-endian byte order, which keeps its region of memory
   * reachable but not its block. Do not use it after the last release.
   */
  @Override
  public ByteBuffer buffer() {
    return HOLDERS.buffer(this, store, entry());
  }

  /** Returns the number of holders; 0 after the last release. */
  @Override
  public int holders() {
    return HOLDERS.count(this);
  }

  @Override
  public void addHolder() {
    HOLDERS.add(this);
  }

  @Override
  public boolean release() {
    return HOLDERS.release(this, store, entry());
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
