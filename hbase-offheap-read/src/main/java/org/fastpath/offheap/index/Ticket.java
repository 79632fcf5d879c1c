package org.fastpath.offheap.index;

/**
 * A reference to a block, packed: the number of its entry, and the stripe in which the reference is
 * counted. {@link BlockTable} issues tickets and takes each back once.
 */
public final class Ticket {
  /** No reference. */
  public static final long NONE = -1;

  /** Bits of the number of a stripe. */
  public static final int STRIPE_BITS = 4;

  private Ticket() {}

  /** Returns the ticket for an entry that is counted in this stripe. */
  public static long of(int entry, int stripe) {
    return (long) stripe << Integer.SIZE | entry;
  }

  public static int entry(long ticket) {
    return (int) ticket;
  }

  public static int stripe(long ticket) {
    return (int) (ticket >>> Integer.SIZE);
  }
}
