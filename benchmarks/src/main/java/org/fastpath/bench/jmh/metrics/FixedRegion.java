package org.fastpath.bench.jmh.metrics;

import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.MetricsRegionWrapper;

/** A region for HBase's metrics without a RegionServer; every number is the region's number. */
final class FixedRegion implements MetricsRegionWrapper {
  private final int number;
  private final String name;

  FixedRegion(int number) {
    this.number = number;
    this.name = name(number);
  }

  /** Returns a name as long as a region's encoded name. */
  static String name(int number) {
    return String.format(Locale.ROOT, "%032x", number);
  }

  @Override
  public String getTableName() {
    return "usertable";
  }

  @Override
  public String getNamespace() {
    return "default";
  }

  @Override
  public String getRegionName() {
    return name;
  }

  @Override
  public long getNumStores() {
    return number;
  }

  @Override
  public long getNumStoreFiles() {
    return number;
  }

  @Override
  public long getMemStoreSize() {
    return number;
  }

  @Override
  public long getStoreFileSize() {
    return number;
  }

  @Override
  public float getCurrentRegionCacheRatio() {
    return number;
  }

  @Override
  public long getReadRequestCount() {
    return number;
  }

  @Override
  public long getFilteredReadRequestCount() {
    return number;
  }

  @Override
  public long getMaxStoreFileAge() {
    return number;
  }

  @Override
  public long getMinStoreFileAge() {
    return number;
  }

  @Override
  public long getAvgStoreFileAge() {
    return number;
  }

  @Override
  public long getNumReferenceFiles() {
    return number;
  }

  @Override
  public long getWriteRequestCount() {
    return number;
  }

  @Override
  public long getTotalRequestCount() {
    return number;
  }

  @Override
  public long getNumFilesCompacted() {
    return number;
  }

  @Override
  public long getNumBytesCompacted() {
    return number;
  }

  @Override
  public long getNumCompactionsCompleted() {
    return number;
  }

  @Override
  public long getLastMajorCompactionAge() {
    return number;
  }

  @Override
  public long getNumCompactionsFailed() {
    return number;
  }

  @Override
  public long getNumCompactionsQueued() {
    return number;
  }

  @Override
  public long getNumFlushesQueued() {
    return number;
  }

  @Override
  public long getMaxCompactionQueueSize() {
    return number;
  }

  @Override
  public long getMaxFlushQueueSize() {
    return number;
  }

  @Override
  public int getRegionHashCode() {
    return number;
  }

  @Override
  public int getReplicaId() {
    return number;
  }

  @Override
  public long getStoreRefCount() {
    return number;
  }

  @Override
  public long getMaxCompactedStoreFileRefCount() {
    return number;
  }

  @Override
  public Map<String, Long> getMemstoreOnlyRowReadsCount() {
    return Map.of();
  }

  @Override
  public Map<String, Long> getMixedRowReadsCount() {
    return Map.of();
  }
}
