package org.fastpath.bench.workloads.tiers;

/** The datasets of the story. A row has five fields of 200 bytes. */
enum TierDataset {
  /** The story does not give the number of rows; this is its 50 GB. */
  GB_50(50_000_000, 18),
  TB_1(1_000_000_000, 210);

  private final long rows;
  private final int regions;

  TierDataset(long rows, int regions) {
    this.rows = rows;
    this.regions = regions;
  }

  /** Returns the number of inserted rows. */
  long rows() {
    return rows;
  }

  /** Returns the number of regions at the start. */
  int regions() {
    return regions;
  }
}
