package org.fastpath.offheap.policy;

/** The weights of frequency and recency in a {@link LfuSegment}, the steadiest first. */
enum Tuning {
  /** For a stable workload and for loops: a long half-life and strict admission. */
  STEADY(32, 0.005, Frequency.ONE),

  /** For many clients that read consecutive rows: blocks are read several times, then no more. */
  BURSTS(32, 0.2, Frequency.ONE),

  /** For a moving workload: a short half-life and easy admission. */
  MOVING(4, 0.3, Frequency.ONE / 2),

  /** For a workload without lasting popularity: nearly LRU. */
  RECENT(1, 0.98, Frequency.ONE / 2);

  /** Reads, as a multiple of the blocks in the cache, after which frequencies are halved. */
  final double halfLife;

  /** The window's part of the segment. */
  final double windowShare;

  /** The margin by which a new block's frequency must exceed its victim's. */
  final int margin;

  Tuning(double halfLife, double windowShare, int margin) {
    this.halfLife = halfLife;
    this.windowShare = windowShare;
    this.margin = margin;
  }
}
