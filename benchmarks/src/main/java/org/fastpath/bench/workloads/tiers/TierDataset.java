package org.fastpath.bench.workloads.tiers;

/** What was loaded in the story. A row has five fields of 200 bytes. */
enum TierDataset {
  /** Its number of rows is not told; these are its 50 GB. */
  GB_50(50_000_000, 18),
  TB_1(1_000_000_000, 210);

  private final long rows;
  private final int regions;

  TierDataset(long rows, int regions) {
    this.rows = rows;
    this.regions = regions;
  }

  /** How many rows were inserted. */
  long rows() {
    return rows;
  }

  /** How many regions the table had from the beginning. */
  int regions() {
    return regions;
  }
}
