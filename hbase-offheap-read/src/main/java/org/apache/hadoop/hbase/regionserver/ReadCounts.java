package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;

/**
 * Bytes that a thread has read for a request that asks for metrics of its scan. Immutable.
 *
 * @param cache bytes of blocks from the cache
 * @param memstore bytes of cells from the memstore
 */
record ReadCounts(long cache, long memstore) {
  static final ReadCounts NONE = new ReadCounts(0, 0);

  /** Takes the counts from the thread, whose next ones begin at 0. */
  static ReadCounts take() {
    return ThreadLocalServerSideScanMetrics.isScanMetricsEnabled()
        ? new ReadCounts(
            ThreadLocalServerSideScanMetrics.getBytesReadFromBlockCacheAndReset(),
            ThreadLocalServerSideScanMetrics.getBytesReadFromMemstoreAndReset())
        : NONE;
  }

  ReadCounts plus(ReadCounts other) {
    return other == NONE ? this : new ReadCounts(cache + other.cache, memstore + other.memstore);
  }

  /** Adds the counts to those of the thread. */
  void give() {
    if (cache + memstore > 0 && ThreadLocalServerSideScanMetrics.isScanMetricsEnabled()) {
      ThreadLocalServerSideScanMetrics.addBytesReadFromBlockCache(cache);
      ThreadLocalServerSideScanMetrics.addBytesReadFromMemstore(memstore);
    }
  }
}
