package org.fastpath.offheap.store;

/** The reason why a block was not cached. */
public enum RejectReason {
  /** It is already cached, or another thread is caching it. */
  PRESENT("alreadyCachedCount", "Blocks that were cached already or by another thread meanwhile"),
  /** A mapped replica holds it. */
  HELD_ELSEWHERE(
      "heldElsewhereCount", "Blocks not cached because a mapped replica holds them in memory"),
  /** It cannot be serialized, or is larger than the cache. */
  TOO_LARGE("rejectedTooLargeCount", "Blocks not cached because they are larger than the cache"),
  /** No block can be evicted for it, because all candidates are being read. */
  NO_ROOM("rejectedNoRoomCount", "Blocks not cached because all others were being read"),
  /** The maximum number of blocks is reached, or its place in the index is full. */
  NO_ENTRY("rejectedNoEntryCount", "Blocks not cached because the index was full"),
  /** The cache was shut down. */
  CLOSED("rejectedClosedCount", "Blocks not cached because the cache was shut down"),
  /** Copying it failed. */
  FAILED("rejectedFailedCount", "Blocks not cached because copying them failed");

  private final String metric;
  private final String description;

  RejectReason(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  public String metric() {
    return metric;
  }

  public String description() {
    return description;
  }
}
