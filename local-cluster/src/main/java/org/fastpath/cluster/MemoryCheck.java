package org.fastpath.cluster;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Rejects a cluster that exceeds the machine's memory, before the kernel kills a process. */
final class MemoryCheck {
  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final String AVAILABLE = "MemAvailable:";

  private MemoryCheck() {}

  /** Fails unless the heaps of the daemons together fit into the memory that is available. */
  static void require(List<Daemon> daemons) {
    long available = availableBytes();
    long needed = 0;
    Daemon largest = daemons.get(0);
    StringBuilder list = new StringBuilder();
    for (Daemon daemon : daemons) {
      needed += daemon.heapBytes();
      largest = daemon.heapBytes() > largest.heapBytes() ? daemon : largest;
      list.append(list.isEmpty() ? "" : ", ")
          .append(daemon.name())
          .append(' ')
          .append(Sizes.text(daemon.heapBytes()));
    }
    if (needed > available) {
      throw new ClusterException(
          "not enough memory: the heaps add up to "
              + Sizes.text(needed)
              + " but only "
              + Sizes.text(available)
              + " are available. "
              + largest.name()
              + " wants the most ("
              + list
              + "); it was not started, its log would be "
              + largest.log());
    }
  }

  /** Returns the available memory. */
  static long availableBytes() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    // The total respects the limit of a container, which /proc/meminfo does not know of.
    long limit = system.getTotalMemorySize();
    try {
      for (String line : Files.readAllLines(MEMINFO)) {
        if (line.startsWith(AVAILABLE)) {
          String kib = line.substring(AVAILABLE.length()).replace("kB", "").trim();
          return Math.min(limit, Long.parseLong(kib) << 10);
        }
      }
    } catch (IOException e) {
      // Without Linux or /proc, only the total is known.
    }
    return limit;
  }
}
