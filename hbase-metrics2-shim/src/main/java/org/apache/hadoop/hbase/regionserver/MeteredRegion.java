package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hbase.wal.WAL;
import org.fastpath.metrics.region.RegionMeter;

/**
 * A region that times its own requests. Put in by a class name in {@code hbase-site.xml} of the
 * RegionServers:
 *
 * <pre>{@code
 * hbase.hregion.impl = org.apache.hadoop.hbase.regionserver.MeteredRegion
 * }</pre>
 *
 * <p>It shows what the coprocessor {@link org.fastpath.metrics.region.RegionMetricsObserver} shows,
 * for less: a coprocessor, whatever it does, makes HBase prepare and run seven hooks per get, which
 * was measured as 2 % of a cached get's CPU time. Here begin and end are methods that the
 * RegionServer calls anyway. With both put in, the coprocessor does nothing.
 *
 * <p>A region that no RegionServer serves, such as the HMaster's own or one that a job opens on a
 * snapshot, is not timed, but its process needs the class when it reads the same {@code
 * hbase-site.xml}. In this package because it overrides methods that only this package sees.
 */
public class MeteredRegion extends HRegion {
  /** Null where nobody serves the region. */
  private final RegionMeter meter;

  /** For HBase, which looks for this signature. */
  public MeteredRegion(
      Path tableDirectory,
      WAL wal,
      FileSystem fileSystem,
      Configuration configuration,
      RegionInfo region,
      TableDescriptor table,
      RegionServerServices server) {
    super(tableDirectory, wal, fileSystem, configuration, region, table, server);
    meter = server == null ? null : new RegionMeter(this, configuration);
  }

  /** The end is not told: a region that is closed is found to be so when somebody looks. */
  @Override
  long initialize(CancelableProgressable reporter) throws IOException {
    long sequence = super.initialize(reporter);
    if (meter != null) {
      meter.opened();
    }
    return sequence;
  }

  /** The first thing that is done for a get. */
  @Override
  void prepareGet(Get get) throws IOException {
    if (meter == null) {
      super.prepareGet(get);
      return;
    }
    meter.beginGet();
    boolean prepared = false;
    try {
      super.prepareGet(get);
      prepared = true;
    } finally {
      if (!prepared) {
        meter.cancelGet();
      }
    }
  }

  /** The last thing that is done for a get, and for reads inside of mutations. */
  @Override
  void metricsUpdateForGet(List<Cell> results, long before) {
    super.metricsUpdateForGet(results, before);
    if (meter != null) {
      meter.endGet();
    }
  }

  @Override
  public void startRegionOperation(Operation operation) throws IOException {
    super.startRegionOperation(operation);
    if (operation == Operation.SCAN && meter != null) {
      meter.beginScanIfRequested();
    }
  }

  /** How a scan request ends, where others name their operation. */
  @Override
  public void closeRegionOperation() throws IOException {
    super.closeRegionOperation();
    if (meter != null) {
      meter.endScan();
    }
  }

  @Override
  public OperationStatus[] batchMutate(
      Mutation[] mutations, boolean atomic, long nonceGroup, long nonce) throws IOException {
    long begin = meter == null ? RegionMeter.NOT_TIMED : meter.beginBatch();
    OperationStatus[] statuses = super.batchMutate(mutations, atomic, nonceGroup, nonce);
    if (begin != RegionMeter.NOT_TIMED) {
      meter.endBatch(begin, mutations, statuses);
    }
    return statuses;
  }
}
