package org.fastpath.offheap.cache;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;

/**
 * Asks HBase's data tiering which data is hot. HBase 2.6.4 has it; in 2.6.1 and 2.5.13 all data
 * counts as hot.
 */
final class DataTiering {
  private static final String MANAGER = "org.apache.hadoop.hbase.regionserver.DataTieringManager";

  private static final MethodHandle INSTANCE;
  private static final MethodHandle IS_HOT_FILE;
  private static final MethodHandle IS_HOT_TIME;

  static {
    MethodHandle instance = null;
    MethodHandle isHotFile = null;
    MethodHandle isHotTime = null;
    try {
      Class<?> manager = Class.forName(MANAGER);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      instance = lookup.findStatic(manager, "getInstance", MethodType.methodType(manager));
      isHotFile = isHot(lookup, manager, HFileInfo.class);
      isHotTime = isHot(lookup, manager, long.class);
    } catch (ReflectiveOperationException e) {
      instance = null;
    }
    INSTANCE = instance;
    IS_HOT_FILE = isHotFile;
    IS_HOT_TIME = isHotTime;
  }

  private DataTiering() {}

  private static MethodHandle isHot(MethodHandles.Lookup lookup, Class<?> manager, Class<?> of)
      throws ReflectiveOperationException {
    return lookup.findVirtual(
        manager, "isHotData", MethodType.methodType(boolean.class, of, Configuration.class));
  }

  static boolean isHot(HFileInfo info, Configuration conf) {
    return ask(IS_HOT_FILE, info, conf);
  }

  static boolean isHot(long maxTimestamp, Configuration conf) {
    return ask(IS_HOT_TIME, maxTimestamp, conf);
  }

  /**
   * Asks HBase. This happens once per file or block that is read from disk, so boxed arguments are
   * acceptable.
   */
  private static boolean ask(MethodHandle isHot, Object what, Configuration conf) {
    try {
      Object manager = INSTANCE == null ? null : INSTANCE.invoke();
      return manager == null || (boolean) isHot.invoke(manager, what, conf);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("data tiering does not answer", e);
    }
  }
}
