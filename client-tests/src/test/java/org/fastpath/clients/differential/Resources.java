package org.fastpath.clients.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Role;

/** What a daemon must not keep when all tables are dropped, and what must never have happened. */
final class Resources {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";

  /** Counts of what failed, by bean. */
  private static final Map<String, List<String>> ZERO =
      Map.of(
          "OffHeapReader",
          List.of("failedScannerCount", "misconfiguredStoreCount", "unverifiedVersionCount"),
          "OffHeapCache",
          List.of("rejectedFailedCount", "unreadableBlockCount", "damagedBlockCount"));

  /** Gauges of the cache that come back to 0; by night only, since a pin is known to be left. */
  private static final List<String> PINS =
      Boolean.getBoolean("nightly") ? List.of("pinnedBytes", "evictedPinnedBytes") : List.of();

  private static final List<String> NEVER_LOGGED =
      List.of(
          "ABORTING", "A fatal error has been detected", "NoSuchMethodError", "IllegalAccessError");

  private Resources() {}

  /** How many files a RegionServer has open, which are those of hbase:meta in the end. */
  @FunctionalInterface
  interface OpenFiles {
    long of(Daemon server) throws IOException;
  }

  /**
   * What is wrong with a daemon; it has two minutes for each number to give back what it still
   * holds.
   */
  static List<String> leaks(Daemon daemon, OpenFiles files) throws Exception {
    List<String> leaks = new ArrayList<>();
    try (Stream<String> log = Files.lines(daemon.log())) {
      log.filter(line -> NEVER_LOGGED.stream().anyMatch(line::contains))
          .map(line -> daemon.name() + ": " + line)
          .forEach(leaks::add);
    }
    if (daemon.role() == Role.REGIONSERVER) {
      for (Map.Entry<String, List<String>> bean : ZERO.entrySet()) {
        for (String number : bean.getValue()) {
          leakOf(daemon, bean.getKey(), number, server -> 0, leaks);
        }
      }
      for (String pins : PINS) {
        leakOf(daemon, "OffHeapCache", pins, server -> 0, leaks);
      }
      leakOf(daemon, "OffHeapReader", "openFileCount", files, leaks);
    }
    return leaks;
  }

  private static void leakOf(
      Daemon daemon, String bean, String number, OpenFiles allowed, List<String> leaks)
      throws Exception {
    try {
      Eventually.holds(
          () -> {
            long now = Eventually.shown(daemon, BEAN + bean, number);
            long most = allowed.of(daemon);
            if (now > most) {
              throw new AssertionError(
                  daemon.name() + ": " + bean + " has " + number + " " + now + ", not " + most);
            }
          });
    } catch (AssertionError e) {
      leaks.add(e.getMessage());
    }
  }
}
