package org.fastpath.tools.volumes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the volumes of a DataNode, with their share of the replicas since the last table. */
final class VolumeTable {
  private static final double MICRO = 1e3;
  private static final double THOUSAND = 1e3;
  private static final double PERCENT = 100;
  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABYTE = 1 << 30;

  private static final String HEADINGS =
      String.format(
          "%-8s %7s %10s %10s %8s %10s %9s  %s",
          "type", "share", "p50", "p99", "cost", "in flight", "room", "volume");

  private Map<String, Long> before = Map.of();

  /** Returns a line of headings, and one for each volume. */
  List<String> lines(List<VolumeReading> volumes) {
    Map<String, Long> now = new HashMap<>();
    long chosen = 0;
    for (VolumeReading volume : volumes) {
      now.put(volume.directory(), volume.choices());
      chosen += since(volume);
    }
    List<String> lines = new ArrayList<>(List.of(HEADINGS));
    for (VolumeReading volume : volumes) {
      lines.add(line(volume, chosen == 0 ? 0 : PERCENT * since(volume) / chosen));
    }
    before = now;
    return lines;
  }

  /**
   * Returns the replicas of a volume since the last time. The counts of a DataNode restart with it.
   */
  private long since(VolumeReading volume) {
    long last = before.getOrDefault(volume.directory(), 0L);
    return volume.choices() < last ? volume.choices() : volume.choices() - last;
  }

  private static String line(VolumeReading volume, double share) {
    return String.format(
        Locale.ROOT,
        "%-8s %5.1f %% %7.0f µs %7.0f µs %6.2f × %7.0f MB %6.0f GB  %s%s",
        volume.type(),
        share,
        volume.writeP50Nanos() / MICRO,
        volume.writeP99Nanos() / MICRO,
        volume.slownessPermille() / THOUSAND,
        volume.inFlightBytes() / MEGABYTE,
        volume.availableBytes() / GIGABYTE,
        volume.directory(),
        volume.excluded() ? " (excluded)" : "");
  }
}
