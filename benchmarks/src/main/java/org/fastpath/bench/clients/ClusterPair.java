package org.fastpath.bench.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fastpath.bench.engine.Layout;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;

/** Two clusters of one RegionServer each, with caches of one size. Not thread-safe. */
final class ClusterPair implements AutoCloseable {
  private static final long MIB = 1L << 20;
  private static final int SMALLEST_LOCKED = 64;

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

    private ClusterBuilder with(ClusterBuilder builder, Layout layout, int megabytes) {
      if (this == STOCK) {
        return builder
            .conf("hbase.bucketcache.ioengine", "offheap")
            .conf("hbase.bucketcache.size", Integer.toString(megabytes))
            .daemon(
                Role.REGIONSERVER,
                options -> options.jvmFlags("-XX:MaxDirectMemorySize=" + (megabytes + 256) + "m"));
      }
      return builder
          .fastpath(Modules.ALL)
          .fastpathJars(layout.base().resolve("fastpath"))
          .fastpathSizes(
              new FastpathSizes(megabytes * MIB, SMALLEST_LOCKED * MIB, SMALLEST_LOCKED * MIB / 2))
          .conf("hbase.fastpath.inline-reads.enabled", "true");
    }
  }

  private final Map<Member, LocalCluster> clusters = new EnumMap<>(Member.class);

  private ClusterPair() {}

  /**
   * Starts both.
   *
   * @param directory their data and logs
   * @param megabytes the size of each block cache off the heap
   * @param heap the heap of each RegionServer, in the JVM's notation
   * @param progress receives a line for each step
   */
  static ClusterPair start(Path directory, int megabytes, String heap, Consumer<String> progress) {
    Layout layout = Layout.here();
    ClusterPair pair = new ClusterPair();
    boolean started = false;
    try {
      for (Member member : Member.values()) {
        ClusterBuilder builder =
            LocalCluster.builder()
                .directory(directory.resolve(member.id()))
                .jars(layout.libDirectory())
                .onProgress(line -> progress.accept(member.id() + ": " + line))
                .daemon(Role.REGIONSERVER, options -> options.heap(heap));
        QUIET.forEach(builder::conf);
        pair.clusters.put(member, member.with(builder, layout, megabytes).start());
      }
      started = true;
      return pair;
    } finally {
      if (!started) {
        pair.close();
      }
    }
  }

  LocalCluster cluster(Member member) {
    return clusters.get(member);
  }

  Daemon regionServer(Member member) {
    return cluster(member).daemon(Role.REGIONSERVER, 0);
  }

  /** Opens a connection, which the caller closes. */
  Connection connect(Member member) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    cluster(member).clientConfiguration().forEach(conf::set);
    return ConnectionFactory.createConnection(conf);
  }

  /** Runs a program of published jars on one cluster until it ends. */
  ClientRun run(Member member, String mainClass, List<String> arguments) throws IOException {
    List<String> lines = new ArrayList<>();
    Daemon server = regionServer(member);
    long cpu = server.cpuTime().totalNanos();
    long begin = System.nanoTime();
    int code =
        cluster(member)
            .runClient(
                mainClass,
                arguments,
                options ->
                    options.prependToClasspath(Layout.here().base().resolve("benchmarks.jar")),
                lines::add);
    ClientRun run =
        new ClientRun(lines, System.nanoTime() - begin, server.cpuTime().totalNanos() - cpu);
    if (code != 0) {
      throw new IOException(mainClass + " " + arguments + " ended with " + code + ": " + run.end());
    }
    return run;
  }

  @Override
  public void close() {
    clusters.values().forEach(LocalCluster::close);
  }
}
