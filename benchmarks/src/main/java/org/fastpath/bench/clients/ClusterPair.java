package org.fastpath.bench.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.MajorCompaction;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;

/** Two clusters of one RegionServer each, with caches of one size. Not thread-safe. */
final class ClusterPair implements AutoCloseable {
  private static final long MIB = 1L << 20;
  private static final int SMALLEST_LOCKED = 64;

  /** The last lines of a failed program that its error shows. */
  private static final int SHOWN = 30;

  /** Keys that keep HBase's background work from mixing with that of clients. */
  private static final Map<String, String> QUIET =
      Map.of(
          "hbase.hregion.majorcompaction", "0",
          "hbase.hstore.compaction.min", "1000",
          "hbase.hstore.blockingStoreFiles", "1000",
          "hbase.regionserver.region.split.policy",
              "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy",
          "hbase.hregion.memstore.flush.size", Long.toString(256 * MIB));

  /** One of the two. */
  enum Member {
    STOCK("stock", "HBase as published with BucketCache"),
    OURS("ours", "the same with every module and inline reads");

    private final String id;
    private final String description;

    Member(String id, String description) {
      this.id = id;
      this.description = description;
    }

    String id() {
      return id;
    }

    String description() {
      return description;
    }

    private void describe(ClusterBuilder builder, int megabytes) {
      if (this == STOCK) {
        builder
            .conf("hbase.bucketcache.ioengine", "offheap")
            .conf("hbase.bucketcache.size", Integer.toString(megabytes))
            .daemon(
                Role.REGIONSERVER,
                options -> options.jvmFlags("-XX:MaxDirectMemorySize=" + (megabytes + 256) + "m"));
        return;
      }
      builder
          .fastpath(Modules.ALL)
          .fastpathJars(Layout.here().base().resolve("fastpath"))
          .fastpathSizes(
              new FastpathSizes(megabytes * MIB, SMALLEST_LOCKED * MIB, SMALLEST_LOCKED * MIB / 2))
          .conf("hbase.fastpath.inline-reads.enabled", "true");
    }
  }

  private final Map<Member, Cluster> clusters = new EnumMap<>(Member.class);

  /**
   * Starts both.
   *
   * @param directory their data and logs
   * @param megabytes the size of each block cache off the heap
   * @param heap the heap of each RegionServer, in the JVM's notation
   * @param progress receives a line for each step
   */
  ClusterPair(Path directory, int megabytes, String heap, Consumer<String> progress)
      throws IOException {
    boolean started = false;
    try {
      for (Member member : Member.values()) {
        clusters.put(
            member,
            new Cluster(
                directory.resolve(member.id()),
                line -> progress.accept(member.id() + ": " + line),
                builder -> {
                  builder.daemon(Role.REGIONSERVER, options -> options.heap(heap));
                  QUIET.forEach(builder::conf);
                  member.describe(builder, megabytes);
                }));
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  Admin admin(Member member) throws IOException {
    return clusters.get(member).admin();
  }

  /** Writes the cells of a table into one file. */
  void compact(Member member, TableName table) throws IOException {
    admin(member).flush(table);
    MajorCompaction.run(admin(member), table, (done, total) -> {});
  }

  /** Runs a program of published jars on one cluster until it ends. */
  ClientRun run(Member member, String mainClass, List<String> arguments) throws IOException {
    Cluster cluster = clusters.get(member);
    List<String> lines = new ArrayList<>();
    Usage usage =
        Usage.of(
            cluster.regionServer(),
            cluster.dataNode(),
            () -> run(cluster, mainClass, arguments, lines));
    return new ClientRun(lines, usage.wallNanos(), usage.regionServer().totalNanos());
  }

  private static void run(
      Cluster cluster, String mainClass, List<String> arguments, List<String> lines)
      throws IOException {
    int code =
        cluster
            .processes()
            .runClient(
                mainClass,
                arguments,
                options ->
                    options.prependToClasspath(Layout.here().base().resolve("benchmarks.jar")),
                lines::add);
    if (code != 0) {
      List<String> end = lines.subList(Math.max(0, lines.size() - SHOWN), lines.size());
      throw new IOException(
          mainClass + " " + arguments + " ended with " + code + ": " + String.join("\n", end));
    }
  }

  @Override
  public void close() throws IOException {
    try (Cluster stock = clusters.get(Member.STOCK);
        Cluster ours = clusters.get(Member.OURS)) {
      // The try statement only stops the clusters that were started.
    }
  }
}
