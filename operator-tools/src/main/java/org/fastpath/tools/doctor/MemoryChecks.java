package org.fastpath.tools.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Sizes;

/** Checks the memory of running daemons and its use. */
final class MemoryChecks {
  private static final String LOCKED = "dfs.datanode.max.locked.memory";
  private static final String LIMIT = "hbase.fastpath.hdfs-cache.limit";
  private static final String BLOCK_SIZE = "hbase.fastpath.offheap-cache.average-block-size";
  private static final long MEGABYTE = 1L << 20;
  private static final long DEFAULT_LIMIT = 100_000_000_000L;

  /** A server that has just started pins nothing yet. */
  private static final long SETTLED_MILLIS = 300_000;

  private static final int FREE_PART = 10;

  private MemoryChecks() {}

  static List<Check> all() {
    return List.of(
        MemoryChecks::machines,
        MemoryChecks::poolLimit,
        MemoryChecks::pins,
        MemoryChecks::stockReader,
        MemoryChecks::fullOfBlocks);
  }

  private static void machines(Evidence evidence, Consumer<Problem> problems) {
    Map<String, List<DaemonReport>> byHost = new TreeMap<>();
    for (DaemonReport daemon : evidence.daemons()) {
      byHost.computeIfAbsent(daemon.host(), host -> new ArrayList<>()).add(daemon);
    }
    byHost.forEach((host, daemons) -> machine(host, daemons, problems));
  }

  private static void machine(String host, List<DaemonReport> daemons, Consumer<Problem> problems) {
    long memory = daemons.stream().mapToLong(MemoryChecks::physical).max().orElse(0);
    long heap = daemons.stream().mapToLong(MemoryChecks::heap).sum();
    List<Long> direct = sizes(daemons, MemoryChecks::direct);
    List<Long> locked = sizes(daemons, MemoryChecks::locked);
    long over = heap + sum(direct) + sum(locked) - memory;
    if (memory > 0 && over > 0) {
      String text =
          "Heaps of "
              + Sizes.format(megabytes(heap))
              + ", direct memory of "
              + Sizes.format(megabytes(sum(direct)))
              + " and locked memory of "
              + Sizes.format(megabytes(sum(locked)))
              + " are more than the "
              + Sizes.format(megabytes(memory))
              + " of the machine.";
      problems.accept(
          new Problem(Kind.MEMORY_BEYOND_MACHINE, host, text, less(direct, locked, over)));
    }
  }

  /** Returns the sizes of the daemons that have any. */
  private static List<Long> sizes(List<DaemonReport> daemons, ToLongFunction<DaemonReport> size) {
    return daemons.stream().map(size::applyAsLong).filter(bytes -> bytes > 0).toList();
  }

  private static long sum(List<Long> sizes) {
    return sizes.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the memory that can shrink most easily: locked memory, then direct memory, then the
   * heap.
   */
  private static String less(List<Long> direct, List<Long> locked, long over) {
    long lock = lessOfEach(locked, over);
    if (lock > 0) {
      return RemedyLine.set(RemedyLine.HDFS_SITE, LOCKED, Sizes.format(lock));
    }
    long limit = lessOfEach(direct, over);
    if (limit > 0) {
      return RemedyLine.export("hbase-env.sh", "HBASE_OFFHEAPSIZE", Sizes.format(limit));
    }
    return "hbase-env.sh: export HBASE_HEAPSIZE to be "
        + Sizes.format(megabytes(over) + MEGABYTE)
        + " less";
  }

  /**
   * Returns the size for each daemon that makes all of them smaller by that many bytes; zero or
   * less if they are too small. No daemon gets more than it has.
   */
  private static long lessOfEach(List<Long> sizes, long over) {
    return sizes.isEmpty()
        ? 0
        : megabytes(Collections.min(sizes) - (over + sizes.size() - 1) / sizes.size());
  }

  private static long megabytes(long bytes) {
    return bytes / MEGABYTE * MEGABYTE;
  }

  private static long physical(DaemonReport daemon) {
    OptionalLong total = daemon.number(Beans.SYSTEM, "TotalMemorySize");
    return total.isPresent()
        ? total.getAsLong()
        : daemon.number(Beans.SYSTEM, "TotalPhysicalMemorySize").orElse(0);
  }

  private static long heap(DaemonReport daemon) {
    return Math.max(0, daemon.attribute(Beans.MEMORY, "HeapMemoryUsage").path("max").asLong());
  }

  /** Returns the direct memory of a RegionServer. Other daemons do not fill theirs. */
  private static long direct(DaemonReport daemon) {
    if (!daemon.is(Role.REGIONSERVER)) {
      return 0;
    }
    StringBuilder flags = new StringBuilder();
    for (JsonNode flag : daemon.attribute(Beans.RUNTIME, "InputArguments")) {
      flags.append(flag.asText()).append(' ');
    }
    return JvmMemory.direct(flags.toString()).orElse(0);
  }

  private static long locked(DaemonReport daemon) {
    return daemon.beans().entrySet().stream()
        .filter(bean -> bean.getKey().startsWith(Beans.DATASET_PREFIX))
        .mapToLong(bean -> bean.getValue().path("CacheCapacity").asLong())
        .sum();
  }

  /** Checks the pool's limit, which applies to all DataNodes together. */
  private static void poolLimit(Evidence evidence, Consumer<Problem> problems) {
    for (DaemonReport nameNode : evidence.daemons()) {
      OptionalLong locked = nameNode.number(Beans.NAMENODE, "CacheCapacity");
      long dataNodes = LiveNodes.of(nameNode).size();
      if (locked.isPresent() && dataNodes > 0) {
        for (ConfDirectory directory : evidence.hbase()) {
          Sizes.parse(directory.site().value(LIMIT, ""))
              .ifPresent(
                  limit -> poolLimit(directory, limit, locked.getAsLong(), dataNodes, problems));
        }
      }
    }
  }

  private static void poolLimit(
      ConfDirectory directory,
      long limit,
      long locked,
      long dataNodes,
      Consumer<Problem> problems) {
    if (limit > locked) {
      long each = (limit + dataNodes - 1) / dataNodes;
      problems.accept(
          new Problem(
              Kind.LOCKED_MEMORY_BELOW_LIMIT,
              directory.place(LIMIT),
              "The pool may pin "
                  + Sizes.format(limit)
                  + ", and "
                  + dataNodes
                  + " DataNodes together lock "
                  + Sizes.format(locked)
                  + " at most.",
              RemedyLine.set(RemedyLine.HDFS_SITE, LOCKED, Long.toString(each))));
    }
  }

  private static void pins(Evidence evidence, Consumer<Problem> problems) {
    evidence.daemons().stream()
        .filter(daemon -> daemon.number(Beans.PINS, "idleCount").orElse(0) > 0)
        .filter(daemon -> daemon.number(Beans.RUNTIME, "Uptime").orElse(0) > SETTLED_MILLIS)
        .findFirst()
        .ifPresent(
            daemon ->
                problems.accept(
                    new Problem(
                        Kind.PINS_NOTHING,
                        daemon.label(),
                        "Pinning is on, and there is no pool, no right to it, or no room in it;"
                            + " the server's log says which.",
                        "hdfs cacheadmin -addPool "
                            + pool(evidence)
                            + " -owner hbase -mode 0755 -limit "
                            + limit(evidence))));
  }

  private static long limit(Evidence evidence) {
    return evidence.hbase().stream()
        .map(directory -> Sizes.parse(directory.site().value(LIMIT, "")))
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .findFirst()
        .orElse(DEFAULT_LIMIT);
  }

  private static String pool(Evidence evidence) {
    return evidence.hbase().stream()
        .flatMap(directory -> directory.site().value("hbase.fastpath.hdfs-cache.pool").stream())
        .findFirst()
        .orElse("hbase-fastpath");
  }

  /** Finds tables that HBase's reader serves although ours is on. */
  private static void stockReader(Evidence evidence, Consumer<Problem> problems) {
    List<DaemonReport> servers =
        evidence.daemons().stream()
            .filter(daemon -> daemon.is(Role.REGIONSERVER))
            .filter(daemon -> daemon.number(Beans.READER, "stockScannerCount").orElse(0) > 0)
            .toList();
    if (servers.isEmpty()) {
      return;
    }
    long scanners =
        servers.stream()
            .mapToLong(d -> d.number(Beans.READER, "stockScannerCount").orElse(0))
            .sum();
    String served =
        "HBase's own reader served " + scanners + " scanners of files with compressed tags";
    if (evidence.families().isEmpty()) {
      String text = served + "; the log names the tables: \"HBase's reader serves table\".";
      problems.accept(stockReader(servers.get(0), text, "TABLE", "FAMILY"));
    }
    for (StockFamily family : evidence.families()) {
      String text =
          String.format(
              "%s, as the family %s of %s may have: its encoding is %s.",
              served, family.family(), family.table(), family.encoding());
      problems.accept(stockReader(servers.get(0), text, family.table(), family.family()));
    }
  }

  private static Problem stockReader(
      DaemonReport server, String text, String table, String family) {
    return new Problem(
        Kind.STOCK_READER,
        server.label(),
        text,
        String.format(
            "alter '%s', {NAME => '%s', METADATA => {'COMPRESS_TAGS' => 'false'}}; major_compact"
                + " '%s'",
            table, family, table));
  }

  /** Finds a cache whose index is full while there is room for blocks. */
  private static void fullOfBlocks(Evidence evidence, Consumer<Problem> problems) {
    for (DaemonReport daemon : evidence.daemons()) {
      long capacity = daemon.number(Beans.CACHE, "capacityBytes").orElse(0);
      long free = daemon.number(Beans.CACHE, "freeBytes").orElse(0);
      long evicted = daemon.number(Beans.CACHE, "evictedBlockCount").orElse(0);
      long blocks = daemon.number(Beans.CACHE, "cachedBlockCount").orElse(0);
      long bytes = daemon.number(Beans.CACHE, "cachedBytes").orElse(0);
      if (evicted > 0 && blocks > 0 && free > capacity / FREE_PART) {
        problems.accept(
            new Problem(
                Kind.CACHE_FULL_OF_BLOCKS,
                daemon.label(),
                "The cache evicts blocks while "
                    + Sizes.format(megabytes(free))
                    + " are free: it has as many blocks as it may have.",
                RemedyLine.set(
                    RemedyLine.HBASE_SITE, BLOCK_SIZE, Long.toString(bytes / blocks / 2))));
      }
    }
  }
}
