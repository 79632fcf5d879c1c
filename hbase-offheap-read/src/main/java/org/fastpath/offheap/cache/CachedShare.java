package org.fastpath.offheap.cache;

import org.fastpath.metrics.Registration;
import org.fastpath.offheap.index.CachedFile;

/**
 * What of a region or table is cached, as it was counted last. One thread at a time counts; any
 * reads.
 */
final class CachedShare {
  private Registration registration;
  private boolean seen;
  private long newBytes;
  private long newBlocks;
  private volatile long bytes;
  private volatile long blocks;

  void shown(Registration registration) {
    this.registration = registration;
  }

  /** Counts from zero. */
  void begin() {
    newBytes = 0;
    newBlocks = 0;
    seen = false;
  }

  /** It is still open. */
  void seen() {
    seen = true;
  }

  void add(CachedFile file) {
    newBytes += file.bytes();
    newBlocks += file.blocks();
  }

  /** Shows what was counted since the last call; true if it is not open any more and has left. */
  boolean finish() {
    if (!seen) {
      registration.close();
      return true;
    }
    bytes = newBytes;
    blocks = newBlocks;
    return false;
  }

  long bytes() {
    return bytes;
  }

  long blocks() {
    return blocks;
  }
}
