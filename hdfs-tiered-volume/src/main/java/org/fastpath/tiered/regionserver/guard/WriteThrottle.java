package org.fastpath.tiered.regionserver.guard;

/** Slows the writes of a RegionServer down. Not thread-safe. */
public interface WriteThrottle {
  /**
   * Allows so many bytes a second from now on.
   *
   * @return false if another limit exists, which stays
   */
  boolean limit(long bytesPerSecond);

  /** Removes the limit, if there is one. */
  void lift();
}
