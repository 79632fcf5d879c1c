package org.fastpath.offheap.store;

import org.fastpath.offheap.index.Ticket;

/**
 * A block that the store has pinned for an object that is being made. That object takes the pin
 * over, once. The ticket is not kept, so the JIT compiler can avoid its allocation.
 */
public final class PinTicket extends HeldBlock {
  /** Makes a {@link Pin}. It is one object, because each further maker slows down the others. */
  public static final Maker<Pin> PIN = Pin::new;

  private final int stripe;

  /** Makes the object that holds a pinned block. */
  @FunctionalInterface
  public interface Maker<P> {
    /** Returns the holder, or null to let the block go. */
    P make(PinTicket ticket);
  }

  PinTicket(BlockStore store, long ticket) {
    super(store, ticket);
    stripe = Ticket.stripe(ticket);
  }

  /** Returns the stripe in which the pin is counted. */
  int stripe() {
    return stripe;
  }

  /** Returns the store that has pinned it. */
  public BlockStore store() {
    return store;
  }
}
