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
 * A region that times its own requests. An operator names the class in {@code hbase-site.xml} of
 * the RegionServers:
 *
 * <pre>{@code
 * hbase.hregion.impl = org.apache.hadoop.hbase.regionserver.MeteredRegion
 * }</pre>
 *
 * <p>It shows the same metrics as the coprocessor {@link
 * org.fastpath.metrics.region.RegionMetricsObserver}, at a lower cost. A coprocessor makes HBase
 * prepare and run seven hooks per get, which took 2 % of a cached get's CPU time. This class
 * overrides methods that the RegionServer calls in any case. With both installed, the coprocessor
 * does nothing.
 *
 * <p>A region that no RegionServer serves is not timed: the HMaster's own, or one that a job opens
 * on a snapshot. Such a process needs the class if it reads the same {@code hbase-site.xml}. The
 * class is in this package because it overrides package-private methods.
 */
public class MeteredRegion extends HRegion {
  /** Null if no RegionServer serves the region. */
  private final RegionMeter meter;

  /** Called by HBase, which looks for this signature. */
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

  /**
   * Reports the opening. Nothing reports the end: the next ranking or snapshot finds closed
   * regions.
   */
  @Override
  long initialize(CancelableProgressable reporter) throws IOException {
    long sequence = super.initialize(reporter);
    if (meter != null) {
      meter.opened();
    }
    return sequence;
  }

  /** Begins a get: the RegionServer calls this first. */
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

  /** Ends a get. Reads inside of mutations also call this. */
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

  /** Ends a scan request. Other operations end by methods with an operation. */
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
