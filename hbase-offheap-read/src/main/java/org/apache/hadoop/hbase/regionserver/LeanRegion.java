package org.apache.hadoop.hbase.regionserver;

/** A region whose scans are chosen by {@link LeanScans}. */
interface LeanRegion {
  /** Returns the instance of this region. */
  LeanScans leanScans();
}
