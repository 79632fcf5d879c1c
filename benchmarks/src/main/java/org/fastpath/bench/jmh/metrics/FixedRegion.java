package org.fastpath.bench.jmh.metrics;

import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.MetricsRegionWrapperStub;

/**
 * A region for HBase's metrics without a RegionServer. The numbers are those of HBase's stub. The
 * names are as long as in our source, because HBase builds its metric names at every snapshot.
 */
final class FixedRegion extends MetricsRegionWrapperStub {
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
  public int getRegionHashCode() {
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
