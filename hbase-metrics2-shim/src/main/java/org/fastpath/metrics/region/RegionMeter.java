package org.fastpath.metrics.region;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;

/**
 * Times the requests of one region. {@link RegionMetricsObserver} calls it in the hooks of a
 * coprocessor, {@code MeteredRegion} in the methods of the region.
 *
 * <p>Without latencies (see {@link RegionRegistry}), a request costs one null check. With
 * latencies, it costs two readings of the clock and one update of a histogram. Nothing is
 * allocated. No method throws: each failure is counted, and the first one is logged.
 */
public final class RegionMeter {
  /** The attribute of a table. With {@code false}, the table's regions are not shown. */
  public static final String TABLE_ATTRIBUTE = "hbase.fastpath.metrics.regions";

  /** Stands for the begin of a batch that is not timed. */
  public static final long NOT_TIMED = Long.MIN_VALUE;

  private static final MethodDescriptor MULTI =
      ClientService.getDescriptor().findMethodByName("Multi");
  private static final MethodDescriptor SCAN =
      ClientService.getDescriptor().findMethodByName("Scan");

  private static final ThreadLocal<Stopwatch> GETS = ThreadLocal.withInitial(Stopwatch::new);
  private static final ThreadLocal<Stopwatch> SCANS = ThreadLocal.withInitial(Stopwatch::new);
  private static final ThreadLocal<Stopwatch> BATCHES = ThreadLocal.withInitial(Stopwatch::new);

  /** Null if the registry could not be made; then nothing is shown. */
  private final RegionRegistry registry;

  private final OpenRegion region;
  private final boolean wanted;

  /**
   * Makes a meter. Nothing is shown before {@link #opened}.
   *
   * @throws IllegalArgumentException if the configuration is wrong
   */
  public RegionMeter(Region region, Configuration configuration) {
    RegionRegistry found = null;
    try {
      found = RegionRegistry.ofJvm(configuration);
    } catch (LinkageError e) { // a jar is missing: HBase serves the region without metrics of ours
      FailedHooks.add(e);
    }
    registry = found;
    this.region = found == null ? new OpenRegion(region) : found.of(region);
    wanted = !"false".equals(region.getTableDescriptor().getValue(TABLE_ATTRIBUTE));
  }

  /** Reports that the region serves requests from now on. */
  public void opened() {
    try {
      if (registry != null && wanted) {
        registry.open(region);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** Reports that the region was closed or could not be opened. */
  void closed() {
    try {
      if (registry != null) {
        registry.close(region);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** Begins a get. */
  public void beginGet() {
    begin(GETS, false);
  }

  /** Ends it. Does nothing if its begin was not reported. */
  public void endGet() {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return;
    }
    try {
      RpcCall call = call();
      boolean multi = call != null && call.getMethod() == MULTI;
      end(GETS, histograms, call, multi ? TimedOperation.MULTI_GET_ROW : TimedOperation.GET);
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** Forgets a get that failed before it read. A later read of the same request does not end it. */
  public void cancelGet() {
    if (region.histograms() == null) {
      return;
    }
    try {
      GETS.get().clear();
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** Begins a request for the next rows of a scan. */
  void beginScan() {
    begin(SCANS, false);
  }

  /** Begins reading. It is timed if the current request is one of a scan. */
  public void beginScanIfRequested() {
    begin(SCANS, true);
  }

  /** Ends it. Does nothing if its begin was not reported. */
  public void endScan() {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return;
    }
    try {
      end(SCANS, histograms, call(), TimedOperation.SCAN_NEXT);
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /**
   * Begins a batch of mutations. Returns the time for {@link #endBatch}. Reads inside of the batch
   * end no get that failed before.
   */
  public long beginBatch() {
    if (region.histograms() == null) {
      return NOT_TIMED;
    }
    cancelGet();
    return System.nanoTime();
  }

  /**
   * Ends a batch that is durable. A failure of counting must not make the batch fail.
   *
   * @param statuses by mutation
   */
  public void endBatch(long begin, Mutation[] mutations, OperationStatus[] statuses) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null || begin == NOT_TIMED) {
      return;
    }
    try {
      long nanos = System.nanoTime() - begin;
      record(
          histograms,
          nanos,
          done(mutations, statuses, Put.class),
          done(mutations, statuses, Delete.class));
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  private static int done(
      Mutation[] mutations, OperationStatus[] statuses, Class<? extends Mutation> kind) {
    int done = 0;
    for (int i = 0; i < mutations.length; i++) {
      boolean success = statuses[i].getOperationStatusCode() == OperationStatusCode.SUCCESS;
      done += success && mutations[i].getClass() == kind ? 1 : 0;
    }
    return done;
  }

  /** Begins a batch. The same thread calls {@link #endMiniBatch} at its end. */
  void beginBatchOperation() {
    begin(BATCHES, false);
  }

  /** Ends a part of the current batch; another part may follow. */
  void endMiniBatch(int puts, int deletes) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return;
    }
    try {
      long nanos = BATCHES.get().nanos(histograms, call());
      if (nanos != Stopwatch.NOT_SEEN) {
        record(histograms, nanos, puts, deletes);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** Ends the current batch, also if it failed. */
  void endBatchOperation() {
    if (region.histograms() == null) {
      return;
    }
    try {
      BATCHES.get().clear();
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  private void begin(ThreadLocal<Stopwatch> thread, boolean ofScansOnly) {
    RegionHistograms histograms = region.histograms();
    if (histograms == null) {
      return;
    }
    try {
      RpcCall call = call();
      if (!ofScansOnly || call != null && call.getMethod() == SCAN) {
        thread.get().start(histograms, call);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  private static RpcCall call() {
    return RpcServer.getCurrentCall().orElse(null);
  }

  private static void end(
      ThreadLocal<Stopwatch> thread,
      RegionHistograms histograms,
      RpcCall call,
      TimedOperation operation) {
    Stopwatch stopwatch = thread.get();
    long nanos = stopwatch.nanos(histograms, call);
    if (nanos != Stopwatch.NOT_SEEN) {
      histograms.of(operation).record(nanos);
    }
    stopwatch.clear();
  }

  /** Records the time of a batch for each of its mutations. */
  private static void record(RegionHistograms histograms, long nanos, int puts, int deletes) {
    if (puts > 0) {
      histograms.of(TimedOperation.PUT).record(nanos, puts);
    }
    if (deletes > 0) {
      histograms.of(TimedOperation.DELETE).record(nanos, deletes);
    }
  }
}
