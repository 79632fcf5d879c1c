package org.fastpath.offheap.policy;

/**
 * How a {@link LfuSegment} weighs what was read often against what was read lately; the steadiest
 * first.
 */
enum Tuning {
  /**
   * For a workload that stays, and for loops: remembers long, and a new block must prove itself.
   */
  STEADY(32, 0.005, Frequency.ONE),

  /**
   * The same for many clients that go through rows: blocks are read several times, then no more.
   */
  BURSTS(32, 0.2, Frequency.ONE),

  /** For a workload that moves: forgets soon, and is generous to what is new. */
  MOVING(4, 0.3, Frequency.ONE / 2),

  /** For one in which no block is popular for long: nearly LRU. */
  RECENT(1, 0.98, Frequency.ONE / 2);

  /** Reads, as a multiple of the blocks in the cache, after which frequencies are halved. */
  final double halfLife;

  /** The part of the segment that the window has. */
  final double windowShare;

  /** By how much a new block's frequency must exceed that of the block it displaces. */
  final int margin;

  Tuning(double halfLife, double windowShare, int margin) {
    this.halfLife = halfLife;
    this.windowShare = windowShare;
    this.margin = margin;
  }
}
