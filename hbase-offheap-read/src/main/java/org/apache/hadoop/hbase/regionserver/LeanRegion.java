package org.apache.hadoop.hbase.regionserver;

/** A region whose scans are chosen by {@link ScanFastPath}. */
interface LeanRegion {
  /** Returns the instance of this region. */
  ScanFastPath scanFastPath();
}
