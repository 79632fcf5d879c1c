package org.fastpath.offheap.cache;

/** Why a block was not cached. */
enum Refusal {
  /** It is there already, or another thread is caching it. */
  PRESENT("alreadyCachedCount", "Blocks that were cached already or by another thread meanwhile"),
  /** It cannot be serialized, or is larger than the cache. */
  TOO_LARGE("rejectedTooLargeCount", "Blocks not cached because they are larger than the cache"),
  /** No block may leave for it: all that could are being read. */
  NO_ROOM("rejectedNoRoomCount", "Blocks not cached because all others were being read"),
  /** There are as many blocks as there can be, or its place in the index is full. */
  NO_ENTRY("rejectedNoEntryCount", "Blocks not cached because the index was full"),
  /** The cache was shut down. */
  CLOSED("rejectedClosedCount", "Blocks not cached because the cache was shut down"),
  /** Copying it failed. */
  FAILED("rejectedFailedCount", "Blocks not cached because copying them failed");

  private static final Refusal[] ALL = values();

  private final String metric;
  private final String description;

  Refusal(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  String metric() {
    return metric;
  }

  String description() {
    return description;
  }

  /** What a method that returns a ticket returns instead: negative. */
  int code() {
    return -1 - ordinal();
  }

  static Refusal of(int code) {
    return ALL[-1 - code];
  }
}
