package org.fastpath.offheap.store;

import org.fastpath.offheap.index.Ticket;

/**
 * A place for a block that no reader sees yet, or the reason of a rejection. The caller fills it,
 * publishes it, and closes it in any case. Closing removes an unpublished block with all its
 * resources.
 *
 * <p>Not thread-safe.
 */
public final class Reservation extends HeldBlock implements AutoCloseable {
  private final long ticket;
  private final RejectReason refusal;
  private boolean published;
  private boolean closed;

  Reservation(BlockStore store, long ticket) {
    super(store, ticket);
    this.ticket = ticket;
    refusal = null;
  }

  private Reservation(RejectReason refusal) {
    super(null, Ticket.NONE);
    ticket = Ticket.NONE;
    this.refusal = refusal;
  }

  static Reservation refused(RejectReason why) {
    return new Reservation(why);
  }

  /** Returns the reason of a rejection; null if there is a place. */
  public RejectReason refusal() {
    return refusal;
  }

  /** Publishes the filled block to readers, unless it was evicted meanwhile. */
  public void publish() {
    published = true;
    store.publish(entry());
  }

  /** Ends the reservation. Without {@link #publish} before, the block is removed. */
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
