package org.fastpath.metrics.region;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MeteredRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Region.Operation;

/**
 * Times the requests of one region and shows it in the sources {@code FastpathRegions} and {@code
 * FastpathTables}. One line in {@code hbase-site.xml} installs it, or the descriptor of a single
 * table:
 *
 * <pre>{@code
 * hbase.coprocessor.region.classes = org.fastpath.metrics.region.RegionMetricsObserver
 * }</pre>
 *
 * <p>{@code MeteredRegion} shows the same metrics and costs less. In such a region the observer
 * does nothing.
 *
 * <p>A region appears when it has been opened. It leaves when it is closed or its opening failed.
 * Hooks that HBase calls per cell or row are not overridden.
 *
 * <p>A batch of mutations is timed from the begin of its region operation, which is one hook per
 * batch. HBase reports the end of the operation even if the batch failed before any mutation was
 * applied. So no begin remains without an end.
 *
 * <p>A failure here never reaches HBase, with one exception. If {@link QuantileLimit#KEY} has a
 * wrong value, the RegionServer does not open its first region and aborts with the reason. HBase
 * does so for any coprocessor that cannot be loaded.
 */
public class RegionMetricsObserver implements RegionCoprocessor, RegionObserver {
  private final Optional<RegionObserver> self = Optional.of(this);

  /** Null before the start, and in a {@code MeteredRegion}. */
  private RegionMeter meter;

  /** Called by HBase. */
  public RegionMetricsObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return meter == null ? Optional.empty() : self;
  }

  /**
   * Starts to observe. The region is being opened, or is already open if an operator changed the
   * list of coprocessors.
   *
   * @throws IllegalArgumentException if the configuration is wrong
   */
  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    RegionCoprocessorEnvironment own = (RegionCoprocessorEnvironment) environment;
    if (own.getRegion() instanceof MeteredRegion) {
      return;
    }
    meter = new RegionMeter(own.getRegion(), environment.getConfiguration());
    if (isOnline(own)) {
      meter.opened();
    }
  }

  private static boolean isOnline(RegionCoprocessorEnvironment environment) {
    OnlineRegions online = environment.getOnlineRegions();
    Region region = environment.getRegion();
    return online != null && online.getRegion(region.getRegionInfo().getEncodedName()) == region;
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    meter.opened();
  }

  /** Stops to observe: the region was closed or could not be opened. */
  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment environment) {
    if (meter != null) {
      meter.closed();
    }
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    meter.beginGet();
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    meter.endGet();
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext) {
    meter.beginScan();
    return hasNext;
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext) {
    meter.endScan();
    return hasNext;
  }

  @Override
  public void postStartRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> context, Operation operation) {
    if (operation == Operation.BATCH_MUTATE) {
      meter.beginBatchOperation();
    }
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    if (success) {
      meter.endMiniBatch(batch.getNumOfPuts(), batch.getNumOfDeletes());
    }
  }

  @Override
  public void postCloseRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> context, Operation operation) {
    if (operation == Operation.BATCH_MUTATE) {
      meter.endBatchOperation();
    }
  }
}
