package org.fastpath.bench.simulators.hitratio;

/** A cache for the computation of a hit ratio: blocks by number, without bytes. */
interface CachePolicy {
  /**
   * Reads a block. If it was not cached, it is now, unless the policy refuses it.
   *
   * @param length bytes of the block, the same each time
   * @return whether it was cached
   */
  boolean read(int block, int length);
}
