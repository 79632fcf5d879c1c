package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.LoadedCoprocessors;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * The coprocessors of a region, without the calls that do nothing. If a region has any coprocessor,
 * HBase calls each of them at eight places of a get. Each call switches the thread's class loader.
 * Two coprocessors that observe only files took 18 % of a multi-get's CPU time. This host calls a
 * hook only if a coprocessor has it. The hook after a checked change always runs, because its
 * default makes a new result without metrics.
 *
 * <p>HBase's host has loaded the coprocessors; this one takes them over. It also sees those that
 * are loaded or removed later. Thread-safe, like its superclass.
 */
final class LeanCoprocessorHost extends RegionCoprocessorHost {
  private static final Configuration NOTHING_TO_LOAD = nothingToLoad();

  /**
   * The hooks that HBase calls between the first one of a get and its end, if the row has results.
   */
  private static final Set<ObserverHook> HOOKS_OF_GETS =
      EnumSet.of(
          ObserverHook.PRE_GET,
          ObserverHook.POST_GET,
          ObserverHook.PRE_STORE_SCANNER_OPEN,
          ObserverHook.POST_INSTANTIATE_DELETE_TRACKER,
          ObserverHook.POST_START_REGION_OPERATION,
          ObserverHook.POST_CLOSE_REGION_OPERATION);

  /** Answers gets that no coprocessor sees. */
  private final LeanGets gets;

  /** The hooks of the current coprocessors; null until the first call. */
  private volatile Hooks hooks;

  /**
   * The hooks of a list of coprocessors, which HBase replaces when it changes.
   *
   * @param seeGets whether any of them is called for a get
   */
  private record Hooks(
      List<RegionCoprocessorEnvironment> loaded, Set<ObserverHook> present, boolean seeGets) {}

  private LeanCoprocessorHost(
      HRegion region, RegionCoprocessorHost loader, Configuration configuration) {
    super(region, loader.rsServices, NOTHING_TO_LOAD);
    gets = new LeanGets(region);
    conf = configuration;
    loadSequence.set(LoadedCoprocessors.sequence(loader));
    coprocEnvironments.addAll(LoadedCoprocessors.of(loader));
  }

  private static Configuration nothingToLoad() {
    Configuration conf = new Configuration(false);
    conf.setBoolean(COPROCESSORS_ENABLED_CONF_KEY, false);
    return conf;
  }

  /** Replaces HBase's host of a region, unless it is done or these scans are off. */
  static void install(HRegion region, Configuration conf) {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    if (host != null && !(host instanceof LeanCoprocessorHost) && ReaderSupport.scanFastPath()) {
      region.setCoprocessorHost(new LeanCoprocessorHost(region, host, conf));
    }
  }

  private boolean has(ObserverHook hook) {
    return hooks().present.contains(hook);
  }

  private Hooks hooks() {
    List<RegionCoprocessorEnvironment> loaded = coprocEnvironments.get();
    Hooks known = hooks;
    if (known == null || known.loaded != loaded) {
      Set<ObserverHook> present =
          ObserverHook.of(loaded.stream().map(RegionCoprocessorEnvironment::getInstance).toList());
      known = new Hooks(loaded, present, !Collections.disjoint(present, HOOKS_OF_GETS));
      hooks = known;
    }
    return known;
  }

  // Reads.

  /** Returns true if the results are complete; then HBase does not read the row. */
  @Override
  public boolean preGet(Get get, List<Cell> results) throws IOException {
    if (!hooks().seeGets) {
      return gets.read(get, results);
    }
    return has(ObserverHook.PRE_GET) && super.preGet(get, results);
  }

  @Override
  public void postGet(Get get, List<Cell> results) throws IOException {
    if (has(ObserverHook.POST_GET)) {
      super.postGet(get, results);
    }
  }

  @Override
  public Boolean preExists(Get get) throws IOException {
    return has(ObserverHook.PRE_EXISTS) ? super.preExists(get) : null;
  }

  @Override
  public boolean postExists(Get get, boolean result) throws IOException {
    return has(ObserverHook.POST_EXISTS) ? super.postExists(get, result) : result;
  }

  @Override
  public void preScannerOpen(Scan scan) throws IOException {
    if (has(ObserverHook.PRE_SCANNER_OPEN)) {
      super.preScannerOpen(scan);
    }
  }

  @Override
  public RegionScanner postScannerOpen(Scan scan, RegionScanner scanner) throws IOException {
    return has(ObserverHook.POST_SCANNER_OPEN) ? super.postScannerOpen(scan, scanner) : scanner;
  }

  @Override
  public Boolean preScannerNext(InternalScanner scanner, List<Result> results, int limit)
      throws IOException {
    return has(ObserverHook.PRE_SCANNER_NEXT)
        ? super.preScannerNext(scanner, results, limit)
        : null;
  }

  @Override
  public boolean postScannerNext(
      InternalScanner scanner, List<Result> results, int limit, boolean hasMore)
      throws IOException {
    return has(ObserverHook.POST_SCANNER_NEXT)
        ? super.postScannerNext(scanner, results, limit, hasMore)
        : hasMore;
  }

  @Override
  public boolean preScannerClose(InternalScanner scanner) throws IOException {
    return has(ObserverHook.PRE_SCANNER_CLOSE) && super.preScannerClose(scanner);
  }

  @Override
  public void postScannerClose(InternalScanner scanner) throws IOException {
    if (has(ObserverHook.POST_SCANNER_CLOSE)) {
      super.postScannerClose(scanner);
    }
  }

  @Override
  public boolean hasCustomPostScannerFilterRow() {
    return has(ObserverHook.POST_SCANNER_FILTER_ROW);
  }

  /** Like HBase's, which knows only the coprocessors that were loaded by its constructor. */
  @Override
  public boolean postScannerFilterRow(InternalScanner scanner, Cell row) throws IOException {
    return !hasCustomPostScannerFilterRow()
        || execOperationWithResult(
            new ObserverOperationWithResult<RegionObserver, Boolean>(
                RegionCoprocessor::getRegionObserver, true) {
              @Override
              public Boolean call(RegionObserver observer) throws IOException {
                return observer.postScannerFilterRow(this, scanner, row, getResult());
              }
            });
  }

  @Override
  public ScanInfo preStoreScannerOpen(HStore store, Scan scan) throws IOException {
    return has(ObserverHook.PRE_STORE_SCANNER_OPEN)
        ? super.preStoreScannerOpen(store, scan)
        : store.getScanInfo();
  }

  @Override
  @SuppressWarnings("deprecation")
  public DeleteTracker postInstantiateDeleteTracker(DeleteTracker tracker) throws IOException {
    return has(ObserverHook.POST_INSTANTIATE_DELETE_TRACKER)
        ? super.postInstantiateDeleteTracker(tracker)
        : tracker;
  }

  // All operations.

  @Override
  public void postStartRegionOperation(Operation operation) throws IOException {
    if (has(ObserverHook.POST_START_REGION_OPERATION)) {
      super.postStartRegionOperation(operation);
    }
  }

  @Override
  public void postCloseRegionOperation(Operation operation) throws IOException {
    if (has(ObserverHook.POST_CLOSE_REGION_OPERATION)) {
      super.postCloseRegionOperation(operation);
    }
  }

  // Writes.

  @Override
  public boolean prePut(Put put, WALEdit edit) throws IOException {
    return has(ObserverHook.PRE_PUT) && super.prePut(put, edit);
  }

  @Override
  public void postPut(Put put, WALEdit edit) throws IOException {
    if (has(ObserverHook.POST_PUT)) {
      super.postPut(put, edit);
    }
  }

  @Override
  public boolean preDelete(Delete delete, WALEdit edit) throws IOException {
    return has(ObserverHook.PRE_DELETE) && super.preDelete(delete, edit);
  }

  @Override
  public void postDelete(Delete delete, WALEdit edit) throws IOException {
    if (has(ObserverHook.POST_DELETE)) {
      super.postDelete(delete, edit);
    }
  }

  @Override
  @SuppressWarnings("deprecation")
  public boolean prePrepareTimeStampForDeleteVersion(
      Mutation mutation, Cell cell, byte[] now, Get get) throws IOException {
    return has(ObserverHook.PRE_PREPARE_TIMESTAMP_FOR_DELETE_VERSION)
        && super.prePrepareTimeStampForDeleteVersion(mutation, cell, now, get);
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(CheckAndMutate request) throws IOException {
    return has(ObserverHook.PRE_CHECK_AND_MUTATE) ? super.preCheckAndMutate(request) : null;
  }

  @Override
  public CheckAndMutateResult preCheckAndMutateAfterRowLock(CheckAndMutate request)
      throws IOException {
    return has(ObserverHook.PRE_CHECK_AND_MUTATE_AFTER_ROW_LOCK)
        ? super.preCheckAndMutateAfterRowLock(request)
        : null;
  }

  @Override
  public Result preAppend(Append append, WALEdit edit) throws IOException {
    return has(ObserverHook.PRE_APPEND) ? super.preAppend(append, edit) : null;
  }

  @Override
  public Result preAppendAfterRowLock(Append append) throws IOException {
    return has(ObserverHook.PRE_APPEND_AFTER_ROW_LOCK) ? super.preAppendAfterRowLock(append) : null;
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(Mutation mutation, List<Pair<Cell, Cell>> cells)
      throws IOException {
    return has(ObserverHook.POST_APPEND_BEFORE_WAL)
        ? super.postAppendBeforeWAL(mutation, cells)
        : cells;
  }

  @Override
  public Result postAppend(Append append, Result result, WALEdit edit) throws IOException {
    return has(ObserverHook.POST_APPEND) ? super.postAppend(append, result, edit) : result;
  }

  @Override
  public Result preIncrement(Increment increment, WALEdit edit) throws IOException {
    return has(ObserverHook.PRE_INCREMENT) ? super.preIncrement(increment, edit) : null;
  }

  @Override
  public Result preIncrementAfterRowLock(Increment increment) throws IOException {
    return has(ObserverHook.PRE_INCREMENT_AFTER_ROW_LOCK)
        ? super.preIncrementAfterRowLock(increment)
        : null;
  }

  @Override
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      Mutation mutation, List<Pair<Cell, Cell>> cells) throws IOException {
    return has(ObserverHook.POST_INCREMENT_BEFORE_WAL)
        ? super.postIncrementBeforeWAL(mutation, cells)
        : cells;
  }

  @Override
  public Result postIncrement(Increment increment, Result result, WALEdit edit) throws IOException {
    return has(ObserverHook.POST_INCREMENT) ? super.postIncrement(increment, result, edit) : result;
  }

  @Override
  public void preBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (has(ObserverHook.PRE_BATCH_MUTATE)) {
      super.preBatchMutate(batch);
    }
  }

  @Override
  public void postBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (has(ObserverHook.POST_BATCH_MUTATE)) {
      super.postBatchMutate(batch);
    }
  }

  @Override
  public void postBatchMutateIndispensably(
      MiniBatchOperationInProgress<Mutation> batch, boolean success) throws IOException {
    if (has(ObserverHook.POST_BATCH_MUTATE_INDISPENSABLY)) {
      super.postBatchMutateIndispensably(batch, success);
    }
  }

  @Override
  public void preWALAppend(WALKey key, WALEdit edit) throws IOException {
    if (has(ObserverHook.PRE_WAL_APPEND)) {
      super.preWALAppend(key, edit);
    }
  }
}
