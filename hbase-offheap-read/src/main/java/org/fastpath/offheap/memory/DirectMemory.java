package org.fastpath.offheap.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What this JVM allows and has in use of direct memory. */
public final class DirectMemory {
  private static final String OPTION = "MaxDirectMemorySize";

  private DirectMemory() {}

  /** Bytes that {@code -XX:MaxDirectMemorySize} allows; without it, the maximum heap. */
  public static long limit() {
    long option = option();
    return option == 0 ? Runtime.getRuntime().maxMemory() : option;
  }

  /** What {@code -XX:MaxDirectMemorySize} says, or 0. HBase's own answer is the heap without it. */
  public static long option() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm == null ? 0 : Long.parseLong(jvm.getVMOption(OPTION).getValue());
  }

  /** Bytes that direct buffers have now, also of those that wait for a garbage collection. */
  public static long used() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Says why a cache of this size cannot be had, and what to change. */
  public static String refusal(long bytes) {
    String limit =
        option() == 0
            ? "-XX:MaxDirectMemorySize is not set, so that it is the maximum heap, "
            : "-XX:MaxDirectMemorySize is ";
    return CacheMemory.SIZE_KEY
        + " asks for "
        + bytes
        + " bytes off the heap, which this JVM does not allow: "
        + limit
        + limit()
        + " bytes, of which "
        + used()
        + " are in use. Set HBASE_OFFHEAPSIZE in hbase-env.sh to more than the sum of both (RPC"
        + " buffers need some too), or make the cache smaller.";
  }
}
