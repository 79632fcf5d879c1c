package org.fastpath.tiered.regionserver.guard;

/** Slows the writes of a RegionServer down. For one thread. */
public interface WriteThrottle {
  /**
   * Allows so many bytes a second from now on.
   *
   * @return false if somebody else limits them already, which is left as it is
   */
  boolean limit(long bytesPerSecond);

  /** Takes the limit away, if there is one. */
  void lift();
}
