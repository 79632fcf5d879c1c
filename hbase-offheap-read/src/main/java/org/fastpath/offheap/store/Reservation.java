package org.fastpath.offheap.store;

import org.fastpath.offheap.index.Ticket;

/**
 * A place for a block that no reader sees yet, or the reason why there is none. The caller fills
 * it, publishes it, and closes it in any case. Closing takes away a block that was not published,
 * and all that was done for it.
 *
 * <p>For one thread.
 */
public final class Reservation extends HeldBlock implements AutoCloseable {
  private final long ticket;
  private final Refusal refusal;
  private boolean published;
  private boolean closed;

  Reservation(BlockStore store, long ticket) {
    super(store, ticket);
    this.ticket = ticket;
    refusal = null;
  }

  private Reservation(Refusal refusal) {
    super(null, Ticket.NONE);
    ticket = Ticket.NONE;
    this.refusal = refusal;
  }

  static Reservation refused(Refusal why) {
    return new Reservation(why);
  }

  /** Why there is no place; null if there is one. */
  public Refusal refusal() {
    return refusal;
  }

  /** Shows the filled block to readers, unless it was evicted before it was there. */
  public void publish() {
    published = true;
    store.publish(entry());
  }

  /** Ends it. Without {@link #publish} before, the block leaves. */
  @Override
  public void close() {
    if (refusal == null && !closed) {
      closed = true;
      try {
        if (!published) {
          store.abandon(entry());
        }
      } finally {
        store.table.release(ticket);
      }
    }
  }
}
