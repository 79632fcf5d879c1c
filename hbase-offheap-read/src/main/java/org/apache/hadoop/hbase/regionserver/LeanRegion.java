package org.apache.hadoop.hbase.regionserver;

/** A region whose scans {@link LeanScans} decides about. */
interface LeanRegion {
  /** Returns the region's own. */
  LeanScans leanScans();
}
