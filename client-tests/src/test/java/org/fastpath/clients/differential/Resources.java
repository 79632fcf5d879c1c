package org.fastpath.clients.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Role;

/**
 * Checks that a daemon holds no resources after all tables are dropped, and that no failure was
 * counted.
 */
final class Resources {
  private static final String HOLDERS = "org.fastpath:type=OffHeapCache,name=PinHolders";
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=";

  /** Metrics of failures, by bean. */
  private static final Map<String, List<String>> ZERO =
      Map.of(
          "OffHeapReader",
          List.of("failedScannerCount", "misconfiguredStoreCount", "unverifiedVersionCount"),
          "OffHeapCache",
          List.of("rejectedFailedCount", "unreadableBlockCount", "damagedBlockCount"),
          "InlineReads",
          List.of("failureCount"));

  /**
   * Code that holds blocks in stock HBase too. A MOB compaction does not close the cells that it
   * reads (HBASE-30246). If a reverse scan refuses families on demand, it leaves their scanners
   * open. MOB stores are HBase's own.
   */
  private static final List<String> STOCK_HOLDERS =
      List.of("DefaultMobStoreCompactor", "ReversedMobStoreScanner");

  private static final List<String> NEVER_LOGGED =
      List.of(
          "ABORTING", "A fatal error has been detected", "NoSuchMethodError", "IllegalAccessError");

  private Resources() {}

  /**
   * Returns the number of open files of a RegionServer. At the end these are the files of
   * hbase:meta.
   */
  @FunctionalInterface
  interface OpenFiles {
    long of(Daemon server) throws IOException;
  }

  /**
   * Returns the resources that a daemon still holds. For each number, it has two minutes to release
   * them.
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
      heldBlocks(daemon, leaks);
      leakOf(daemon, "OffHeapReader", "openFileCount", files, leaks);
    }
    return leaks;
  }

  private static void heldBlocks(Daemon daemon, List<String> leaks) throws Exception {
    try {
      Eventually.holds(
          () ->
              assertThat(holders(daemon.jmx(HOLDERS)))
                  .as("held blocks of %s", daemon.name())
                  .isEmpty());
    } catch (AssertionError e) {
      leaks.add(e.getMessage());
    }
  }

  /** Returns the holders of blocks, as a cache in debug mode shows them, without those of HBase. */
  static List<String> holders(String jmx) {
    List<String> holders = new ArrayList<>();
    JsonArray beans = JsonParser.parseString(jmx).getAsJsonObject().getAsJsonArray("beans");
    assertThat(beans).as("beans %s", HOLDERS).hasSize(1);
    for (JsonElement element : beans.get(0).getAsJsonObject().getAsJsonArray("Holders")) {
      String holder = element.getAsString();
      if (STOCK_HOLDERS.stream().noneMatch(holder::contains)) {
        holders.add(holder);
      }
    }
    return holders;
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
