package org.fastpath.offheap.cache;

import org.fastpath.metrics.Registration;
import org.fastpath.offheap.index.CachedFile;

/**
 * The cached blocks of a region or table at the last count. One thread at a time counts; any thread
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

  /** Begins a count. */
  void begin() {
    newBytes = 0;
    newBlocks = 0;
    seen = false;
  }

  /** Reports that the region or table is open. */
  void seen() {
    seen = true;
  }

  void add(CachedFile file) {
    newBytes += file.bytes();
    newBlocks += file.blocks();
  }

  /**
   * Shows the count since the last call. Returns true if the region or table is not open any more
   * and was removed.
   */
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
