package org.fastpath.tiered.datanode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kernel's statistics of a block device, from {@code /proc/diskstats}: time with at least one
 * request in flight, and transferred data.
 *
 * @param busyMillis since the machine started
 * @param requests reads and writes since then
 * @param sectors of 512 bytes
 */
record DeviceStatistics(long busyMillis, long requests, long sectors) {
  private static final int MAJOR = 0;
  private static final int MINOR = 1;
  private static final int READS = 3;
  private static final int READ_SECTORS = 5;
  private static final int WRITES = 7;
  private static final int WRITTEN_SECTORS = 9;
  private static final int BUSY_MILLIS = 12;
  private static final int SECTOR_BITS = 9;

  /** The cost of a request besides its bytes, expressed in bytes: see {@link #work}. */
  private static final long REQUEST_BYTES = 128 << 10;

  /** Returns all devices by their numbers. A line in another format is skipped. */
  static Map<String, DeviceStatistics> parse(List<String> lines) {
    Map<String, DeviceStatistics> devices = new HashMap<>();
    for (String line : lines) {
      String[] words = line.trim().split("\\s+");
      if (words.length > BUSY_MILLIS) {
        try {
          devices.put(words[MAJOR] + ':' + words[MINOR], of(words));
        } catch (NumberFormatException e) {
          // A line of another kernel version.
        }
      }
    }
    return devices;
  }

  private static DeviceStatistics of(String... words) {
    return new DeviceStatistics(
        Long.parseLong(words[BUSY_MILLIS]),
        Long.parseLong(words[READS]) + Long.parseLong(words[WRITES]),
        Long.parseLong(words[READ_SECTORS]) + Long.parseLong(words[WRITTEN_SECTORS]));
  }

  /**
   * Returns the name of a device there.
   *
   * @param number as in {@code st_dev}
   */
  static String name(long number) {
    long major = (number >>> 8 & 0xfff) | (number >>> 32 & ~0xfffL);
    long minor = (number & 0xff) | (number >>> 12 & 0xfff00);
    return major + ":" + minor;
  }

  /**
   * Returns the transferred bytes plus a fixed number of bytes per request. With bytes alone, a
   * disk that serves small reads or syncs a log would look slow beside its peers.
   */
  long work() {
    return (sectors << SECTOR_BITS) + requests * REQUEST_BYTES;
  }
}
