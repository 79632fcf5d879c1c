package org.fastpath.bench.simulators.hitratio;

/** A cache as far as a hit ratio needs it: blocks by number, without bytes. */
interface CachePolicy {
  /**
   * A block is read; if it was not cached it is now, unless the policy refuses.
   *
   * @param length bytes of the block, the same each time
   * @return whether it was cached
   */
  boolean read(int block, int length);
}
