package org.apache.hadoop.hbase.regionserver;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/**
 * A hook of {@link RegionObserver} that HBase calls for each get, row of a scan request or write.
 * The interface has a default for each, so most observers have few.
 */
enum ObserverHook {
  PRE_GET("preGetOp"),
  POST_GET("postGetOp"),
  PRE_EXISTS("preExists"),
  POST_EXISTS("postExists"),
  PRE_SCANNER_OPEN("preScannerOpen"),
  POST_SCANNER_OPEN("postScannerOpen"),
  PRE_SCANNER_NEXT("preScannerNext"),
  POST_SCANNER_NEXT("postScannerNext"),
  PRE_SCANNER_CLOSE("preScannerClose"),
  POST_SCANNER_CLOSE("postScannerClose"),
  POST_SCANNER_FILTER_ROW("postScannerFilterRow"),
  PRE_STORE_SCANNER_OPEN("preStoreScannerOpen"),
  POST_INSTANTIATE_DELETE_TRACKER("postInstantiateDeleteTracker"),
  POST_START_REGION_OPERATION("postStartRegionOperation"),
  POST_CLOSE_REGION_OPERATION("postCloseRegionOperation"),
  PRE_PUT("prePut"),
  POST_PUT("postPut"),
  PRE_DELETE("preDelete"),
  POST_DELETE("postDelete"),
  PRE_PREPARE_TIMESTAMP_FOR_DELETE_VERSION("prePrepareTimeStampForDeleteVersion"),
  PRE_CHECK_AND_MUTATE("preCheckAndMutate", "preCheckAndPut", "preCheckAndDelete"),
  PRE_CHECK_AND_MUTATE_AFTER_ROW_LOCK(
      "preCheckAndMutateAfterRowLock",
      "preCheckAndPutAfterRowLock",
      "preCheckAndDeleteAfterRowLock"),
  PRE_APPEND("preAppend"),
  PRE_APPEND_AFTER_ROW_LOCK("preAppendAfterRowLock"),
  POST_APPEND_BEFORE_WAL("postAppendBeforeWAL", ObserverHook.BEFORE_WAL),
  POST_APPEND("postAppend"),
  PRE_INCREMENT("preIncrement"),
  PRE_INCREMENT_AFTER_ROW_LOCK("preIncrementAfterRowLock"),
  POST_INCREMENT_BEFORE_WAL("postIncrementBeforeWAL", ObserverHook.BEFORE_WAL),
  POST_INCREMENT("postIncrement"),
  PRE_BATCH_MUTATE("preBatchMutate"),
  POST_BATCH_MUTATE("postBatchMutate"),
  POST_BATCH_MUTATE_INDISPENSABLY("postBatchMutateIndispensably"),
  PRE_WAL_APPEND("preWALAppend");

  private static final String GETTER = "getRegionObserver";

  private static final String BEFORE_WAL = "postMutationBeforeWAL";

  /** The hooks of a class of observers, because each region has an observer of its own. */
  private static final ClassValue<Set<ObserverHook>> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected Set<ObserverHook> computeValue(Class<?> observer) {
          return find(observer);
        }
      };

  /** The names of the observer's methods: the newest one, and older ones that its default calls. */
  private final Set<String> methods;

  ObserverHook(String... methods) {
    this.methods = Set.of(methods);
  }

  /** Returns the names of the observer's methods. */
  Set<String> methods() {
    return methods;
  }

  /** Returns the hooks that any of the coprocessors has. */
  static Set<ObserverHook> of(Collection<? extends RegionCoprocessor> coprocessors) {
    Set<ObserverHook> hooks = EnumSet.noneOf(ObserverHook.class);
    coprocessors.forEach(coprocessor -> hooks.addAll(of(coprocessor)));
    return hooks;
  }

  /**
   * Returns the hooks of a coprocessor. It has all if it may have an observer later, or if it
   * fails: then HBase calls it and handles the failure.
   */
  private static Set<ObserverHook> of(RegionCoprocessor coprocessor) {
    try {
      Optional<RegionObserver> observer = coprocessor.getRegionObserver();
      if (observer.isPresent()) {
        return of(observer.get());
      }
      return coprocessor.getClass().getMethod(GETTER).getDeclaringClass() == RegionCoprocessor.class
          ? EnumSet.noneOf(ObserverHook.class)
          : EnumSet.allOf(ObserverHook.class);
    } catch (NoSuchMethodException | RuntimeException | LinkageError e) {
      return EnumSet.allOf(ObserverHook.class);
    }
  }

  /** Returns the hooks of an observer; all if its methods name a missing class. */
  static Set<ObserverHook> of(RegionObserver observer) {
    return OF_CLASS.get(observer.getClass());
  }

  private static Set<ObserverHook> find(Class<?> observer) {
    Set<ObserverHook> hooks = EnumSet.noneOf(ObserverHook.class);
    try {
      for (Method method : observer.getMethods()) {
        Arrays.stream(values()).filter(hook -> hook.isIn(method)).forEach(hooks::add);
      }
      return hooks;
    } catch (LinkageError e) {
      return EnumSet.allOf(ObserverHook.class);
    }
  }

  /** Returns whether a class overrides the hook by this method. */
  private boolean isIn(Method overriding) {
    return methods.contains(overriding.getName())
        && overriding.getParameterCount() > 0
        && overriding.getParameterTypes()[0] == ObserverContext.class
        && overriding.getDeclaringClass() != RegionObserver.class;
  }
}
