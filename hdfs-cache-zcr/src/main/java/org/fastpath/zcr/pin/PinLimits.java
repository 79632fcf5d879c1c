package org.fastpath.zcr.pin;

/**
 * What a planner keeps to.
 *
 * @param bytes of memory for everything that is pinned, at any moment
 * @param reserve the part of it that is left free for what compactions write, 0 to 1
 * @param factor how many times the worth of a pinned file another one must have to displace it, 1
 *     or more
 * @param changes how many files are pinned and unpinned in a round at most
 */
record PinLimits(long bytes, double reserve, double factor, int changes) {
  /** What a round fills. */
  long target() {
    return bytes - (long) (bytes * reserve);
  }

  PinLimits withBytes(long other) {
    return new PinLimits(other, reserve, factor, changes);
  }

  /** While the reserve is used for what it is for. */
  PinLimits withoutReserve() {
    return new PinLimits(bytes, 0, factor, changes);
  }
}
