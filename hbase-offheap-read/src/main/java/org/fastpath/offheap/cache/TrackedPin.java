package org.fastpath.offheap.cache;

/** A {@link BlockPin} of the debug mode, which tells the tracker when the block is given back. */
final class TrackedPin extends BlockPin {
  private final PinTracker tracker;

  TrackedPin(BlockTable table, int ticket, String block, PinTracker tracker) {
    super(table, ticket);
    this.tracker = tracker;
    tracker.opened(this, block);
  }

  @Override
  void closed() {
    tracker.closed(this);
  }
}
