package org.fastpath.bench.hdfs;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time, user and system, of this process: finer than what the kernel tells of others. */
final class OwnCpu {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private OwnCpu() {}

  /** What all threads of this JVM have used. */
  static long nanos() {
    return SYSTEM.getProcessCpuTime();
  }
}
