package org.fastpath.bench.guard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.common.guard.Guard;
import org.fastpath.common.guard.RecordedJars;
import org.fastpath.common.guard.Reliance;
import org.fastpath.common.guard.Verdict;

/**
 * Writes {@code docs/operate/versions.md}: the result of each feature's guard for each upstream
 * version.
 */
final class VersionsPage {
  static final String COMMAND =
      "./mvnw verify -pl benchmarks -am -Dtest=VersionsPageTest -Dversions.write=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  /** HBase's versions with the extent of their tests. */
  private static final Map<String, String> HBASE = new LinkedHashMap<>();

  private static final Map<String, String> HADOOP = new LinkedHashMap<>();

  private static final String LATER =
      "region level, with its hbase-server: differential tests of reader, lean scans, store"
          + " engines, cache, mapped blocks and rules for tiers (`LaterServersTest` of three"
          + " modules); the other features linked";

  private static final String EARLIER =
      ", `-Phadoop-3.3.6`: the cache on a cluster (`OffHeapCacheLiveTest`); the other features linked";

  static {
    HBASE.put("2.6.4-hadoop3", "cluster: all tests of the build");
    HBASE.put("2.6.5", LATER);
    HBASE.put("2.6.6", LATER);
    HBASE.put("2.6.1-hadoop3", "`-Drun.hbase.version=2.6.1-hadoop3`" + EARLIER);
    HBASE.put("2.5.13-hadoop3", "linked");
    HBASE.put("3.0.0", "linked, hbase-server only");
    HADOOP.put("3.4.2", "cluster: all tests of the build");
    HADOOP.put("3.4.3", "cluster: profile `hadoop-3.4.3`");
    HADOOP.put("3.3.6", "cluster: live tests of all HDFS modules, profile `hadoop-3.3.6`");
    HADOOP.put(
        "3.5.0",
        "cluster: the same, `hadoop-3.5.0`; zero-copy and pinning with a libhadoop adapted by hand,"
            + " since that of 3.5.0 is not published");
  }

  private final List<String> notes = new ArrayList<>();

  private VersionsPage() {}

  static String text() throws IOException {
    VersionsPage page = new VersionsPage();
    Map<String, Reliance> features = Guards.features();
    String hbase = page.table(features, true);
    String hadoop = page.table(features, false);
    return String.join(
        "\n",
        INTRODUCTION,
        "## Features on HBase",
        "",
        hbase,
        "## Features on Hadoop",
        "",
        hadoop,
        "## Differences",
        "",
        "What a guard finds, class by class and method by method:",
        "",
        String.join("\n", page.notes),
        "",
        "## Tests",
        "",
        "| version | how far tests go |",
        "|---|---|",
        tests("HBase", HBASE),
        tests("Hadoop", HADOOP),
        "",
        PARTS);
  }

  private static String tests(String of, Map<String, String> versions) {
    return versions.entrySet().stream()
        .map(each -> "| " + of + " " + each.getKey() + " | " + each.getValue() + " |")
        .collect(Collectors.joining("\n"));
  }

  private String table(Map<String, Reliance> features, boolean hbase) throws IOException {
    Map<String, String> versions = hbase ? HBASE : HADOOP;
    StringBuilder table = new StringBuilder("| feature | jar |");
    versions.keySet().forEach(version -> table.append(' ').append(version).append(" |"));
    table.append("\n|---|---|").append("---|".repeat(versions.size())).append('\n');
    for (Map.Entry<String, Reliance> feature : features.entrySet()) {
      if (feature.getValue().uses("org/apache/hadoop/hbase/") == hbase) {
        String name = feature.getKey();
        table.append("| ").append(name).append(" | ").append(Guards.moduleOf(name)).append(" |");
        for (String version : versions.keySet()) {
          table.append(' ').append(cell(name, feature.getValue(), version, hbase)).append(" |");
        }
        table.append('\n');
      }
    }
    return table.toString();
  }

  private String cell(String name, Reliance reliance, String version, boolean hbase)
      throws IOException {
    Verdict verdict;
    try (RecordedJars jars =
        hbase ? Guards.jars(version, Guards.HADOOP) : Guards.jars(Guards.HBASE, version)) {
      verdict = Guard.check(reliance, each -> Guards.find(jars, each));
    }
    if (verdict.same()) {
      return "on";
    }
    notes.add("- " + (hbase ? "HBase " : "Hadoop ") + version + ", " + name + ": " + all(verdict));
    return verdict.links() ? "off, can be allowed" : "off";
  }

  /** Returns all differences by kind. */
  private static String all(Verdict verdict) {
    Map<String, Set<String>> byKind = new LinkedHashMap<>();
    Stream.concat(verdict.missing().stream(), verdict.changed().stream())
        .forEach(
            difference -> {
              int end = difference.indexOf(' ');
              byKind
                  .computeIfAbsent(difference.substring(end + 1), absent -> new LinkedHashSet<>())
                  .add("`" + shortName(difference.substring(0, end)) + "`");
            });
    return byKind.entrySet().stream()
        .map(kind -> kind.getKey() + ": " + String.join(", ", kind.getValue()))
        .collect(Collectors.joining("; "));
  }

  /** Returns a name such as {@code HFileReaderImpl#readBlock}. */
  private static String shortName(String name) {
    int member = name.indexOf('#');
    return name.substring(name.lastIndexOf('.', member < 0 ? name.length() : member) + 1);
  }

  private static final String INTRODUCTION =
      """
      # Versions

      A feature is on where the upstream code that it relies on is the code that it was verified with. The version's number does not matter, and
      so vendors' builds need no list. At start each feature compares the members that it uses, and the normalized bytecode of the methods whose
      behaviour it relies on, with the class files on the class path:

      | the code | the feature |
      |---|---|
      | is the verified code | is on |
      | has everything, but a method differs | is off, unless `hbase.fastpath.unverified` (in RegionServers and HMasters) or `dfs.fastpath.unverified` (in DataNodes, NameNodes and clients of HDFS) is `allow` |
      | lacks a member | is off |

      A feature that stays off says so in one line of the log, which names class and method, and in its MBean
      `org.fastpath:type=Feature,name=<feature>`. The other features do not notice:

      ```
      WARN GuardedFeature: offheap-reader stays off: in HBase 2.6.9, org.apache.hadoop.hbase.io.HalfStoreFileReader#getScanner differs from the verified code; to use it all the same, set hbase.fastpath.unverified to allow
      ```

      A start first compares the CRCs of the class files with those of the verified versions. A jar's directory holds them, so that no class file is
      read. Our jars search the class path once, together. If the CRCs differ, the guard reads and compares only the classes whose files differ.
      The guards of the thirteen features of a RegionServer take 80 ms of CPU in a new JVM (70 to 90 in eleven).
      `bin/fastpath guard-cost` measures it.

      Written by `%s` from what the build records; run it again rather than edit this file.
      """
          .formatted(COMMAND);

  private static final String PARTS =
      """
      Of HBase 2.6.5 and 2.6.6 this build finds hbase-server, hbase-procedure, hbase-replication and hbase-zookeeper, and of 3.0.0 hbase-server.
      2.6.4-hadoop3 stands in for the rest, so no cluster of them can be started.

      ## Releases of HBase before 2.6.4

      2.6.1 and 2.5.13 run without reader, lean scans, inline reads and mapped blocks. 2.6.1 needs Hadoop 3.3 (HBASE-28955). The list above names what differs. In both, readers have no metrics per thread
      of scans (`ThreadLocalServerSideScanMetrics`), a half of a file is opened and closed in another way, and `HFileReaderImpl#readBlock` checks and
      caches in another order. 2.5.13's scanners do not count blocks either (`HFileScanner#recordBlockSize`), and its store files are opened by other
      constructors. No variant for them is written: upgrade HBase.

      ## Hadoop 3.3.6 and 3.5.0

      `-Phadoop-3.3.6` and `-Phadoop-3.5.0` run tests, and the daemons that they start, on these jars.
      In 3.5.0 a DataNode with an empty cache sends no report (HDFS-17339). After a restart it locks pinned blocks only with the next new one.
      `tiered-dataset` stays off on 3.5.0: HDFS-17496 gives the dataset locks of its own below a volume.

      ## JDK

      The jars are built for Java 17. HBase on JDK 24 or later needs Hadoop 3.5.0: Hadoop 3.4 calls `Subject.getSubject`, which throws
      `UnsupportedOperationException` there. The cache reads its memory by `sun.misc.Unsafe`, of which JDK 24 and 25 warn, and by memory segments from
      JDK 26 on. For segments start RegionServers with `--enable-native-access=ALL-UNNAMED`, or the JVM prints a warning. On JDK 25, in six
      rounds by turns with encoding NONE, a seek takes 1.07 (0.84 to 1.43) and a get 1.18 (1.08 to 1.35) times Unsafe's. A profile
      shows the reason: each load of a search checks a bound. So counting keys in an index takes 12 % of a get, with Unsafe 3 %.
      `-Dorg.fastpath.offheap.memory-access` chooses: `auto` (default), `unsafe` or `segments`.

      ## HBase 3.0.0

      Pinning and rules for tiers link and are on. The balancer waits for hbase-balancer, the artifact that its classes moved to. Cache, checksums and
      tier guard link, and can be allowed by `hbase.fastpath.unverified`. Reader, lean scans, mapped blocks, read warm-up and region metrics need
      the changes that the list above names.
      """;
}
