package org.fastpath.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The use of a modelled device, a volume or a controller, since its DataNode started.
 *
 * @param readBytes requested reads
 * @param writtenBytes requested writes
 * @param busyNanos busy time
 */
public record DeviceUse(long readBytes, long writtenBytes, long busyNanos) {
  private static final String LIST = "\"\\s*:\\s*\\[([^]]*)]";

  /** Returns the use since {@code earlier}. */
  public DeviceUse since(DeviceUse earlier) {
    return new DeviceUse(
        readBytes - earlier.readBytes,
        writtenBytes - earlier.writtenBytes,
        busyNanos - earlier.busyNanos);
  }

  /** Returns all devices in the JSON of {@link SlowVolumesMXBean}; empty if the bean is missing. */
  static List<DeviceUse> parse(String json) {
    long[] read = list(json, "ReadBytes");
    long[] written = list(json, "WrittenBytes");
    long[] busy = list(json, "BusyNanos");
    List<DeviceUse> devices = new ArrayList<>();
    for (int i = 0; i < busy.length; i++) {
      devices.add(new DeviceUse(read[i], written[i], busy[i]));
    }
    return devices;
  }

  private static long[] list(String json, String name) {
    Matcher found = Pattern.compile('"' + name + LIST).matcher(json);
    return found.find()
        ? Arrays.stream(found.group(1).split(","))
            .map(String::trim)
            .mapToLong(Long::parseLong)
            .toArray()
        : new long[0];
  }
}
