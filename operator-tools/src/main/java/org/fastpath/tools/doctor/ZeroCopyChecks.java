package org.fastpath.tools.doctor;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.fastpath.tools.conf.SiteProperty;
import org.fastpath.tools.conf.Sizes;

/** Checks of zero-copy reads, mapped blocks and pinning. */
final class ZeroCopyChecks {
  private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";
  private static final String SOCKET = "dfs.domain.socket.path";
  private static final String MMAP = "dfs.client.mmap.enabled";
  private static final String LOCKED = "dfs.datanode.max.locked.memory";
  private static final String LIMIT = "hbase.fastpath.hdfs-cache.limit";
  private static final String VERIFY = "hbase.regionserver.checksum.verify";
  private static final String READAHEAD = "dfs.client.cache.readahead";
  private static final String USUAL_SOCKET = "/var/lib/hadoop-hdfs/dn_socket";
  private static final String USUAL_LOCKED = "8g";

  private static final List<String> SHADOWED = List.of(SHORT_CIRCUIT, SOCKET);

  private ZeroCopyChecks() {}

  static List<Check> all() {
    return List.of(
        Check.hbase(ZeroCopyChecks::fileSystem),
        Check.hbase(ZeroCopyChecks::shadowed),
        Check.hbase(ZeroCopyChecks::shortCircuit),
        Check.hbase(ZeroCopyChecks::mmap),
        ZeroCopyChecks::dataNodes,
        ZeroCopyChecks::sockets,
        Check.hbase(ZeroCopyChecks::balancer),
        Check.hbase(ZeroCopyChecks::prefetch),
        Check.hbase(ZeroCopyChecks::checksums),
        Check.hbase(ZeroCopyChecks::readahead));
  }

  private static boolean on(ConfDirectory directory) {
    return Switch.ZERO_COPY.asked(directory) && !directory.is("dfs.fastpath.zcr.enabled", "false");
  }

  private static boolean locks(ConfDirectory directory) {
    return Switch.PINNING.asked(directory) || Switch.MAPPED_BLOCKS.asked(directory);
  }

  private static void fileSystem(ConfDirectory directory, Consumer<Problem> problems) {
    if (Switch.MAPPED_BLOCKS.asked(directory) && !Switch.ZERO_COPY.asked(directory)) {
      problems.accept(
          new Problem(
              Kind.MAPPED_BLOCKS_WITHOUT_FILE_SYSTEM,
              directory.place(Switch.MAPPED_BLOCKS.key()),
              "Mapped blocks do nothing without the zero-copy file system.",
              RemedyLine.add(
                  directory, Switch.ZERO_COPY.key(), Switch.ZERO_COPY.value().orElseThrow())));
    }
  }

  private static Optional<SiteProperty> shadowed(ConfDirectory directory, String key) {
    return directory.site().property(key).filter(SiteProperty::isHiddenFromHBase);
  }

  private static void shadowed(ConfDirectory directory, Consumer<Problem> problems) {
    if (!on(directory)) {
      return;
    }
    for (String key : SHADOWED) {
      shadowed(directory, key)
          .ifPresent(
              property ->
                  problems.accept(
                      new Problem(
                          Kind.SHADOWED_BY_DEFAULT,
                          property.place(),
                          "HBase does not see "
                              + key
                              + ": its hbase-default.xml, read behind this"
                              + " file, sets an empty value.",
                          RemedyLine.set(RemedyLine.HBASE_SITE, key, property.value()))));
    }
  }

  private static void shortCircuit(ConfDirectory directory, Consumer<Problem> problems) {
    if (!on(directory)) {
      return;
    }
    if (!directory.is(SHORT_CIRCUIT, "true")) {
      problems.accept(
          new Problem(
              Kind.SHORT_CIRCUIT_OFF,
              directory.place(SHORT_CIRCUIT),
              "Nothing is mapped while short-circuit reads are off.",
              RemedyLine.set(directory.siteFile(), SHORT_CIRCUIT, "true")));
    }
    if (!directory.has(SOCKET)) {
      problems.accept(noSocket(directory));
    }
  }

  private static Problem noSocket(ConfDirectory directory) {
    return new Problem(
        Kind.NO_SOCKET_PATH,
        directory.directory().toString(),
        "Short-circuit reads need the DataNode's socket, and no path is set.",
        RemedyLine.set(directory.siteFile(), SOCKET, USUAL_SOCKET));
  }

  private static void mmap(ConfDirectory directory, Consumer<Problem> problems) {
    if (on(directory) && directory.is(MMAP, "false")) {
      problems.accept(
          new Problem(
              Kind.MMAP_OFF,
              directory.place(MMAP),
              "Nothing is mapped while " + MMAP + " is false.",
              RemedyLine.replace(directory.site().property(MMAP).orElseThrow(), MMAP, "true")));
    }
  }

  /** Checks DataNodes, which must lock memory and pass descriptors. */
  private static void dataNodes(Evidence evidence, Consumer<Problem> problems) {
    boolean locks = evidence.hbase().stream().anyMatch(ZeroCopyChecks::locks);
    boolean maps = evidence.hbase().stream().anyMatch(ZeroCopyChecks::on);
    for (ConfDirectory directory : evidence.dataNodes()) {
      if (locks && Sizes.parse(directory.site().value(LOCKED, "0")).orElse(0) == 0) {
        problems.accept(noLockedMemory(evidence, directory));
      }
      if (maps && !directory.is(SHORT_CIRCUIT, "true")) {
        problems.accept(
            new Problem(
                Kind.SHORT_CIRCUIT_OFF,
                directory.place(SHORT_CIRCUIT),
                "DataNodes hand out no replica while short-circuit reads are off.",
                RemedyLine.set(directory.siteFile(), SHORT_CIRCUIT, "true")));
      }
      if (maps && !directory.has(SOCKET)) {
        problems.accept(noSocket(directory));
      }
    }
  }

  private static Problem noLockedMemory(Evidence evidence, ConfDirectory directory) {
    return new Problem(
        Kind.NO_LOCKED_MEMORY,
        directory.place(LOCKED),
        "DataNodes lock no memory, so that nothing is pinned or mapped.",
        RemedyLine.set(directory.siteFile(), LOCKED, lockedOfEach(evidence)));
  }

  /** Returns the part of one DataNode in the limit of the pool, which applies to all together. */
  private static String lockedOfEach(Evidence evidence) {
    int dataNodes =
        evidence.daemons().stream().mapToInt(node -> LiveNodes.of(node).size()).max().orElse(0);
    return evidence.hbase().stream()
        .map(hbase -> Sizes.parse(hbase.site().value(LIMIT, "")))
        .filter(limit -> limit.isPresent() && dataNodes > 0)
        .map(limit -> (limit.getAsLong() + dataNodes - 1) / dataNodes)
        .findFirst()
        .map(Sizes::format)
        .orElse(USUAL_LOCKED);
  }

  private static void sockets(Evidence evidence, Consumer<Problem> problems) {
    for (ConfDirectory hbase : evidence.hbase()) {
      for (ConfDirectory hadoop : evidence.dataNodes()) {
        if (on(hbase) && hbase.has(SOCKET) && hadoop.has(SOCKET) && !same(hbase, hadoop)) {
          String right = hadoop.site().value(SOCKET).orElseThrow();
          problems.accept(
              new Problem(
                  Kind.SOCKET_PATHS_DIFFER,
                  hbase.place(SOCKET),
                  "HBase looks for the DataNode's socket elsewhere than DataNodes have it, "
                      + right
                      + ".",
                  RemedyLine.replace(hbase.site().property(SOCKET).orElseThrow(), SOCKET, right)));
        }
      }
    }
  }

  private static boolean same(ConfDirectory hbase, ConfDirectory hadoop) {
    return hbase.site().value(SOCKET).equals(hadoop.site().value(SOCKET));
  }

  private static void balancer(ConfDirectory directory, Consumer<Problem> problems) {
    Switch cost = Switch.CACHED_REPLICA_COST;
    if (Switch.CACHED_REPLICA_BALANCER.asked(directory) && !cost.asked(directory)) {
      problems.accept(
          new Problem(
              Kind.BALANCER_WITHOUT_COST,
              directory.place(Switch.CACHED_REPLICA_BALANCER.key()),
              "The balancer by cached replicas finds no moves without its cost function.",
              RemedyLine.add(directory, cost.key(), cost.value().orElseThrow())));
    }
  }

  private static void prefetch(ConfDirectory directory, Consumer<Problem> problems) {
    for (String key : List.of("hbase.rs.prefetchblocksonopen", "hbase.rs.cacheblocksonwrite")) {
      if (Switch.MAPPED_BLOCKS.asked(directory) && directory.is(key, "true")) {
        problems.accept(
            new Problem(
                Kind.PREFETCH_BESIDE_MAPPED_BLOCKS,
                directory.place(key),
                key
                    + " fills the block cache with blocks of pinned tables that nobody looks for"
                    + " there.",
                RemedyLine.replace(directory.site().property(key).orElseThrow(), key, "false")));
      }
    }
  }

  /** Checks checksums. Only files that HBase verifies itself are mapped. */
  private static void checksums(ConfDirectory directory, Consumer<Problem> problems) {
    if (Switch.MAPPED_BLOCKS.asked(directory) && directory.is(VERIFY, "false")) {
      problems.accept(
          new Problem(
              Kind.HBASE_CHECKSUMS_OFF,
              directory.place(VERIFY),
              "No block is mapped: HBase leaves the verification of checksums to HDFS.",
              RemedyLine.replace(directory.site().property(VERIFY).orElseThrow(), VERIFY, "true")));
    }
  }

  /** Checks read-ahead. With it, a small positional read fills a whole buffer. */
  private static void readahead(ConfDirectory directory, Consumer<Problem> problems) {
    if (directory.is(SHORT_CIRCUIT, "true") && !directory.is(READAHEAD, "0")) {
      problems.accept(
          new Problem(
              Kind.READAHEAD_ON,
              directory.place(READAHEAD),
              "With read-ahead a short-circuit read of 64 KB takes about twice as long.",
              RemedyLine.set(directory.siteFile(), READAHEAD, "0")));
    }
  }
}
