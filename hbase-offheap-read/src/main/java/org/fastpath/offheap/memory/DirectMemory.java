package org.fastpath.offheap.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** Reads the limit and the use of this JVM's direct memory. */
public final class DirectMemory {
  private static final String OPTION = "MaxDirectMemorySize";

  private DirectMemory() {}

  /**
   * Returns the bytes that {@code -XX:MaxDirectMemorySize} allows; without it, the maximum heap.
   */
  public static long limit() {
    long option = option();
    return option == 0 ? Runtime.getRuntime().maxMemory() : option;
  }

  /**
   * Returns the value of {@code -XX:MaxDirectMemorySize}, or 0. HBase's own method returns the heap
   * without it.
   */
  public static long option() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm == null ? 0 : Long.parseLong(jvm.getVMOption(OPTION).getValue());
  }

  /** Returns the bytes of direct buffers, including those that wait for a garbage collection. */
  public static long used() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /**
   * Allocates memory, and causes no garbage collection if there is none.
   *
   * @throws OutOfMemoryError if the limit does not allow it now
   */
  static Memory allocate(long bytes) {
    if (used() + bytes > limit()) {
      throw new OutOfMemoryError(
          bytes + " bytes of direct memory: " + used() + " of " + limit() + " are in use");
    }
    return Memory.allocate(bytes);
  }

  /** Explains why a cache of this size is not possible, with the remedy. */
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
