package org.fastpath.offheap.cache;

/**
 * A {@link BlockPin} of the debug mode: it knows where the block was taken, until it is given back.
 */
final class TrackedPin extends BlockPin {
  private final PinTracker tracker;
  private final Thread thread = Thread.currentThread();
  private final Throwable site;

  TrackedPin(BlockTable table, int ticket, String block, PinTracker tracker) {
    super(table, ticket);
    this.tracker = tracker;
    this.site = new Throwable("block " + block + " taken by " + thread.getName());
    tracker.opened(this);
  }

  Thread thread() {
    return thread;
  }

  /** Where it was taken. */
  Throwable site() {
    return site;
  }

  @Override
  void closed() {
    tracker.closed(this);
  }
}
