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
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;

/**
 * Times the requests of one region and shows it in the sources {@code FastpathRegions} and {@code
 * FastpathTables}. Put in, and taken out, by one line in {@code hbase-site.xml}:
 *
 * <pre>{@code
 * hbase.coprocessor.region.classes = org.fastpath.metrics.region.RegionMetricsObserver
 * }</pre>
 *
 * <p>A region appears when it has been opened and leaves when it is closed, also after an opening
 * that failed. A region without latencies (see {@link RegionRegistry}) costs a request a null check
 * per hook, one with them two readings of the clock and an update of a histogram; nothing is
 * allocated. Hooks that HBase calls per cell or row are not overridden.
 *
 * <p>A batch of mutations is timed from the begin of its region operation: that is one hook per
 * batch, and HBase tells the end of the operation even when the batch failed before any of it was
 * applied, so that no begin is left behind.
 *
 * <p>What goes wrong here stays here, but for one thing: with a wrong value of {@link
 * QuantileLimit#KEY} the RegionServer does not take its first region and aborts with the reason, as
 * for any coprocessor that cannot be loaded.
 */
public class RegionMetricsObserver implements RegionCoprocessor, RegionObserver {
  private static final MethodDescriptor MULTI =
      ClientService.getDescriptor().findMethodByName("Multi");

  private static final ThreadLocal<Stopwatch> GETS = ThreadLocal.withInitial(Stopwatch::new);
  private static final ThreadLocal<Stopwatch> SCANS = ThreadLocal.withInitial(Stopwatch::new);
  private static final ThreadLocal<Stopwatch> BATCHES = ThreadLocal.withInitial(Stopwatch::new);

  private final Optional<RegionObserver> self = Optional.of(this);

  /** Null if it could not be made: nothing is shown then. */
  private RegionRegistry registry;

  private OpenRegion region;

  /** For HBase. */
  public RegionMetricsObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return self;
  }

  /**
   * The region is being opened; or, when an operator changed the list of coprocessors, it has been
   * open for long.
   *
   * @throws IllegalArgumentException when the configuration is wrong
   */
  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    RegionCoprocessorEnvironment own = (RegionCoprocessorEnvironment) environment;
    region = new OpenRegion(own.getRegion());
    try {
      registry = RegionRegistry.ofJvm(environment.getConfiguration());
    } catch (LinkageError e) { // a jar is missing: the region is served without us
      FailedHooks.add(e);
      return;
    }
    region = registry.of(own.getRegion());
    if (isOnline(own)) {
      opened();
    }
  }

  private static boolean isOnline(RegionCoprocessorEnvironment environment) {
    OnlineRegions online = environment.getOnlineRegions();
    Region region = environment.getRegion();
    return online != null && online.getRegion(region.getRegionInfo().getEncodedName()) == region;
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    opened();
  }

  private void opened() {
    try {
      if (registry != null) {
        registry.open(region);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** The region was closed, or could not be opened. */
  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment environment) {
    try {
      if (registry != null) {
        registry.close(region);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    begin(GETS);
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return;
    }
    try {
      record(GETS, histograms, isMulti() ? TimedOperation.MULTI_GET_ROW : TimedOperation.GET);
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** Whether the request at hand has many rows; there is one descriptor of it per JVM. */
  private static boolean isMulti() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    return call != null && call.getMethod() == MULTI;
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext) {
    begin(SCANS);
    return hasNext;
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return hasNext;
    }
    try {
      record(SCANS, histograms, TimedOperation.SCAN_NEXT);
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
    return hasNext;
  }

  @Override
  public void postStartRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> context, Operation operation) {
    if (operation == Operation.BATCH_MUTATE) {
      begin(BATCHES);
    }
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null || !success) {
      return;
    }
    try {
      long nanos = BATCHES.get().nanos(histograms);
      record(histograms, TimedOperation.PUT, nanos, batch.getNumOfPuts());
      record(histograms, TimedOperation.DELETE, nanos, batch.getNumOfDeletes());
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  @Override
  public void postCloseRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> context, Operation operation) {
    if (operation == Operation.BATCH_MUTATE && region.histograms() != null) {
      clear();
    }
  }

  private static void clear() {
    try {
      BATCHES.get().clear();
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  private void begin(ThreadLocal<Stopwatch> stopwatch) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return;
    }
    try {
      stopwatch.get().start(histograms);
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  private static void record(
      ThreadLocal<Stopwatch> thread, RegionHistograms histograms, TimedOperation operation) {
    Stopwatch stopwatch = thread.get();
    record(histograms, operation, stopwatch.nanos(histograms), 1);
    stopwatch.clear();
  }

  private static void record(
      RegionHistograms histograms, TimedOperation operation, long nanos, int times) {
    if (nanos != Stopwatch.NOT_SEEN && times > 0) {
      histograms.of(operation).record(nanos, times);
    }
  }
}
