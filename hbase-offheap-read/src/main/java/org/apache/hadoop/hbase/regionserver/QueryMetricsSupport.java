package org.apache.hadoop.hbase.regionserver;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hbase.client.Get;

/** Knows gets that ask for metrics of their query, which clients of HBase before 2.6.2 cannot. */
final class QueryMetricsSupport {
  private static final MethodHandle IS_ASKED = find();

  private QueryMetricsSupport() {}

  private static MethodHandle find() {
    try {
      return MethodHandles.lookup()
          .findVirtual(Get.class, "isQueryMetricsEnabled", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  static boolean isAsked(Get get) {
    try {
      return IS_ASKED != null && (boolean) IS_ASKED.invokeExact(get);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
