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
 * Times the requests of one region, for whoever stands where they begin and end: {@link
 * RegionMetricsObserver} in the hooks of a coprocessor, {@code MeteredRegion} in the methods of the
 * region itself.
 *
 * <p>A region without latencies (see {@link RegionRegistry}) costs a request a null check, one with
 * them two readings of the clock and an update of a histogram; nothing is allocated. Nothing is
 * thrown: what goes wrong is counted and logged once.
 */
public final class RegionMeter {
  /** The attribute of a table whose regions shall not be shown: {@code false}. */
  public static final String TABLE_ATTRIBUTE = "hbase.fastpath.metrics.regions";

  /** The begin of a batch that is not timed. */
  public static final long NOT_TIMED = Long.MIN_VALUE;

  private static final MethodDescriptor MULTI =
      ClientService.getDescriptor().findMethodByName("Multi");
  private static final MethodDescriptor SCAN =
      ClientService.getDescriptor().findMethodByName("Scan");

  private static final ThreadLocal<Stopwatch> GETS = ThreadLocal.withInitial(Stopwatch::new);
  private static final ThreadLocal<Stopwatch> SCANS = ThreadLocal.withInitial(Stopwatch::new);
  private static final ThreadLocal<Stopwatch> BATCHES = ThreadLocal.withInitial(Stopwatch::new);

  /** Null if it could not be made: nothing is shown then. */
  private final RegionRegistry registry;

  private final OpenRegion region;
  private final boolean wanted;

  /**
   * A meter; nothing is shown before {@link #opened}.
   *
   * @throws IllegalArgumentException when the configuration is wrong
   */
  public RegionMeter(Region region, Configuration configuration) {
    RegionRegistry found = null;
    try {
      found = RegionRegistry.ofJvm(configuration);
    } catch (LinkageError e) { // a jar is missing: the region is served without us
      FailedHooks.add(e);
    }
    registry = found;
    this.region = found == null ? new OpenRegion(region) : found.of(region);
    wanted = !"false".equals(region.getTableDescriptor().getValue(TABLE_ATTRIBUTE));
  }

  /** The region serves requests from now on. */
  public void opened() {
    try {
      if (registry != null && wanted) {
        registry.open(region);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** The region was closed, or could not be opened. */
  void closed() {
    try {
      if (registry != null) {
        registry.close(region);
      }
    } catch (RuntimeException | Error e) {
      FailedHooks.add(e);
    }
  }

  /** A get begins. */
  public void beginGet() {
    begin(GETS, false);
  }

  /** It ends; does nothing for one that was not seen to begin. */
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

  /** A get failed before it read: a later read of the same request does not end it. */
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

  /** A request for the next rows of a scan begins. */
  void beginScan() {
    begin(SCANS, false);
  }

  /** Reading begins: it is a scan's if the request at hand is one, and otherwise not timed. */
  public void beginScanIfRequested() {
    begin(SCANS, true);
  }

  /** It ends; does nothing for one that was not seen to begin. */
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
   * When a batch of mutations begins; to be given to {@link #endBatch}. Reads inside of it end no
   * get that failed before.
   */
  public long beginBatch() {
    if (region.histograms() == null) {
      return NOT_TIMED;
    }
    cancelGet();
    return System.nanoTime();
  }

  /**
   * A batch is over, which is durable: counting what of it was done must not make it fail.
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

  /** A batch begins whose end is told to the same thread by {@link #endMiniBatch}. */
  void beginBatchOperation() {
    begin(BATCHES, false);
  }

  /** Part of the batch at hand was done; another part may follow. */
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

  /** The batch at hand is over, or failed. */
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

  /** Each mutation of a batch took as long as the batch. */
  private static void record(RegionHistograms histograms, long nanos, int puts, int deletes) {
    if (puts > 0) {
      histograms.of(TimedOperation.PUT).record(nanos, puts);
    }
    if (deletes > 0) {
      histograms.of(TimedOperation.DELETE).record(nanos, deletes);
    }
  }
}
