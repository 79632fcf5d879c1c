package org.fastpath.offheap.store;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.fastpath.offheap.index.Ticket;
import org.fastpath.offheap.memory.Memory;

/**
 * Counts the holders of pins of one class, and ends their views of the bytes. Each hit makes a pin,
 * so the pin itself has both fields, and there is no object for the count.
 *
 * <p><b>The count</b> changes by compare-and-set and never leaves zero: a holder that comes after
 * the last release, or one release too many, throws. The block itself is released once.
 *
 * <p><b>The view</b> is made at its first use and ends with the pin.
 *
 * <p>Any thread may call any method. It is a record, because the JIT compiler takes the fields of
 * records for constants.
 *
 * @param state the field of the count. The lowest bits are the stripe of the table's counters.
 *     Above them is the number of holders minus one, so it is -1 after the last release.
 * @param view the field of the view
 * @param <P> the class of the pins
 */
public record Holders<P>(
    AtomicIntegerFieldUpdater<P> state, AtomicReferenceFieldUpdater<P, Memory> view) {
  private static final int HOLDER = 1 << Ticket.STRIPE_BITS;

  /**
   * Begins with one holder, in the constructor of a pin. It writes without the fence of a volatile
   * write. A thread that gets the pin by a race sees this state too.
   */
  public void begin(P pin, PinTicket ticket) {
    state.lazySet(pin, ticket.stripe());
    // Like for a final field.
    VarHandle.storeStoreFence();
  }

  /** Returns the number of holders; 0 after the last release. */
  public int count(P pin) {
    return (state.get(pin) >> Ticket.STRIPE_BITS) + 1;
  }

  /**
   * Adds a holder.
   *
   * @throws IllegalStateException after the last release
   */
  public void add(P pin) {
    for (int held = state.get(pin); held >= 0; held = state.get(pin)) {
      if (state.compareAndSet(pin, held, Math.addExact(held, HOLDER))) {
        return;
      }
    }
    throw new IllegalStateException("block was retained after its last release: " + pin);
  }

  /**
   * Removes a holder. The last one releases the block.
   *
   * @param entry the number of the block's record
   * @return whether this was the last
   * @throws IllegalStateException after the last release
   */
  public boolean release(P pin, BlockStore store, int entry) {
    // Loaded before the count changes, because loads after an atomic change wait for it.
    Memory counters = store.table.counters(entry);
    Memory slab = store.entries.slab(entry);
    for (int held = state.get(pin); held >= 0; held = state.get(pin)) {
      if (state.compareAndSet(pin, held, held - HOLDER)) {
        if (held < HOLDER) {
          try {
            end(pin, store);
          } finally {
            store.table.release(counters, slab, entry, held);
          }
        }
        return held < HOLDER;
      }
    }
    throw new IllegalStateException("block was released more often than retained: " + pin);
  }

  private void end(P pin, BlockStore store) {
    Memory bytes = view.get(pin);
    if (bytes != null) {
      bytes.close();
    }
    store.unpinned(pin);
  }

  /**
   * Returns the bytes of a block in one piece, valid until the last release. An index that is apart
   * is not among them.
   *
   * @throws IllegalStateException after it
   */
  public Memory memory(P pin, BlockStore store, int entry) {
    requireHeld(pin);
    Memory bytes = view.get(pin);
    if (bytes == null) {
      Memory made = store.record(entry).view();
      bytes = view.compareAndSet(pin, null, made) ? made : view.get(pin);
    }
    if (state.get(pin) < 0) {
      bytes.close();
    }
    requireHeld(pin);
    return bytes;
  }

  /**
   * Returns the index of a block, if it is apart, valid until the last release; otherwise null.
   *
   * @throws IllegalStateException after it
   */
  public Memory index(P pin, BlockStore store, int entry) {
    requireHeld(pin);
    Memory made = store.record(entry).indexView();
    if (made == null) {
      requireHeld(pin);
      return null;
    }
    // Ends with the bytes.
    Memory bytes = memory(pin, store, entry);
    Memory known = bytes.beside();
    if (known != null) {
      return known;
    }
    bytes.beside(made);
    if (state.get(pin) < 0) {
      bytes.close();
    }
    requireHeld(pin);
    return made;
  }

  /**
   * Returns the bytes as a buffer in big-endian byte order, which keeps its region of memory
   * reachable but not its block. Do not use it after the last release.
   */
  public ByteBuffer buffer(P pin, BlockStore store, int entry) {
    requireHeld(pin);
    return store.record(entry).viewedBuffer();
  }

  /** Throws an IllegalStateException after the last release. */
  public void requireHeld(P pin) {
    if (state.get(pin) < 0) {
      throw new IllegalStateException("block was used after its last release: " + pin);
    }
  }
}
