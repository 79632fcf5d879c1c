package org.fastpath.tiered.regionserver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;

/**
 * Wraps a store's tracker, which makes the writers of all store files for every store engine.
 * Another tracker of the same class makes the writer of a file ({@link StoreContexts#writers}). If
 * the file has a rule, that tracker writes with the rule's policy and format. All other calls go to
 * the original tracker. Thread-safe.
 */
final class FilePlacer implements InvocationHandler {
  private static final String CREATE_WRITER = "createWriter";

  /**
   * The origin of the compaction that this thread began last. HBase's parameters do not contain it.
   */
  private static final ThreadLocal<StoreFileOrigin> COMPACTION =
      ThreadLocal.withInitial(() -> StoreFileOrigin.COMPACTION);

  private final StoreFileTracker tracker;
  private final TierRules rules;
  private final Map<Optional<String>, StoreFileTracker> writers;

  /**
   * Wraps a tracker.
   *
   * @param writers by policy, which is empty without a rule
   */
  FilePlacer(
      StoreFileTracker tracker, TierRules rules, Map<Optional<String>, StoreFileTracker> writers) {
    this.tracker = tracker;
    this.rules = rules;
    this.writers = Map.copyOf(writers);
  }

  /** Records the compaction that this thread begins. */
  static void compacting(CompactionRequest request) {
    COMPACTION.set(StoreFileOrigin.of(request));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(receiver(method, arguments), arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private StoreFileTracker receiver(Method method, Object[] arguments) {
    if (method.getName().equals(CREATE_WRITER)
        && arguments.length == 1
        && arguments[0] instanceof CreateStoreFileWriterParams params) {
      Optional<String> policy = rules.policy(origin(params));
      policy.ifPresent(name -> prepare(params, name));
      return writers.get(policy);
    }
    return tracker;
  }

  private static StoreFileOrigin origin(CreateStoreFileWriterParams params) {
    return params.isCompaction()
        ? COMPACTION.get().reading(params.totalCompactedFilesSize())
        : StoreFileOrigin.FLUSH;
  }

  private void prepare(CreateStoreFileWriterParams params, String policy) {
    rules.formats().get(policy).compression().ifPresent(params::compression);
    // An engine's own policy would put the file into a separate directory and set that policy at
    // the end.
    params.fileStoragePolicy("");
  }
}
