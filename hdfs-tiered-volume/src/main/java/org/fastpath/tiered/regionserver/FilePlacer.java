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
 * Stands in front of a store's tracker, which makes the writers of all its store files whatever
 * engine the store has. A writer of a file that has a rule is made by another tracker of the same
 * class ({@link StoreContexts#writers}), which writes with the rule's policy and format; everything
 * else goes to the tracker as it is. Safe from any thread.
 */
final class FilePlacer implements InvocationHandler {
  private static final String CREATE_WRITER = "createWriter";

  /** Of the compaction that this thread began last; HBase's parameters do not tell it. */
  private static final ThreadLocal<StoreFileOrigin> COMPACTION =
      ThreadLocal.withInitial(() -> StoreFileOrigin.COMPACTION);

  private final StoreFileTracker tracker;
  private final TierRules rules;
  private final Map<String, StoreFileTracker> writers;

  /**
   * Stands in front of a tracker.
   *
   * @param writers by policy
   */
  FilePlacer(StoreFileTracker tracker, TierRules rules, Map<String, StoreFileTracker> writers) {
    this.tracker = tracker;
    this.rules = rules;
    this.writers = Map.copyOf(writers);
  }

  /** Takes notice of the compaction that this thread begins. */
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
      return policy.map(writers::get).orElse(tracker);
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
    // An engine's own choice would put the file into a directory for it, and set it in the end.
    params.fileStoragePolicy("");
  }
}
