package org.fastpath.tools.conf;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory that this machine gives to a process of this user.
 *
 * @param memoryBytes all memory, or that of the container
 * @param lockableBytes bytes that a process may lock, by {@code ulimit -l}
 */
public record Machine(long memoryBytes, long lockableBytes) {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern LOCKED = Pattern.compile("Max locked memory +(\\S+).*");

  /** Returns the values of this machine. */
  public static Machine here() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Machine(system.getTotalMemorySize(), lockable());
  }

  private static long lockable() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        Matcher locked = LOCKED.matcher(line);
        if (locked.matches()) {
          String soft = locked.group(1);
          return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
        }
      }
    } catch (IOException e) {
      // This system has no such file, so no limit is known.
    }
    return Long.MAX_VALUE;
  }
}
