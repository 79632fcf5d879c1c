package org.fastpath.zcr.pin;

/**
 * The limits of a planner.
 *
 * @param bytes of memory for all pinned files, at any moment
 * @param reserve the part of it that stays free for outputs of compactions, 0 to 1
 * @param factor ratio of worth above which another file displaces a pinned one, at least 1
 * @param changes limit of pins and unpins in a round
 */
record PinLimits(long bytes, double reserve, double factor, int changes) {
  /** Returns the bytes that a round fills. */
  long target() {
    return bytes - (long) (bytes * reserve);
  }

  PinLimits withBytes(long other) {
    return new PinLimits(other, reserve, factor, changes);
  }

  /** Returns the limits for outputs of compactions, which may use the reserve. */
  PinLimits withoutReserve() {
    return new PinLimits(bytes, 0, factor, changes);
  }
}
