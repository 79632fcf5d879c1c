package org.fastpath.bench.hdfs;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** CPU time, user and system, of this process and of others on this machine. */
final class ProcessCpu {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private ProcessCpu() {}

  /** What all threads of this JVM have used. */
  static long ownNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** What another process has used, in steps of a hundredth of a second. */
  static long nanosOf(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .orElseThrow(() -> new IllegalStateException("there is no process " + pid));
  }
}
