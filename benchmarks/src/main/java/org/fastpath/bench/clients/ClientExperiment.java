package org.fastpath.bench.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * An experiment whose client programs run on two clusters, round by round, in turns. Each cluster
 * has one RegionServer, and their caches have one size.
 */
abstract class ClientExperiment extends Experiment {
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

  @Mixin private Options.Rounds rounds = new Options.Rounds(4);

  @Option(
      names = "--cache",
      paramLabel = "MB",
      converter = Options.Positive.class,
      description = "Size of each block cache off the heap.")
  private int cache = 512;

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      converter = Options.Positive.class,
      description = "Rounds before the first one that counts.")
  private int warmUps = 2;

  @Option(names = "--heap", paramLabel = "SIZE", description = "Heap of each RegionServer.")
  private String heap = "1500m";

  /** One of the two clusters. */
  private enum Member {
    STOCK("HBase as published with BucketCache"),
    OURS("the same with every module and inline reads");

    private final String description;

    Member(String description) {
      this.description = description;
    }

    private String id() {
      return name().toLowerCase(Locale.ROOT);
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

  /**
   * A piece of a client's work.
   *
   * @param label the name in results
   * @param amount the number of rows or operations
   * @param unit a row or an operation
   * @param main the client's main class
   * @param arguments its arguments
   * @param latency returns a percentile in microseconds, if the client prints it
   */
  record Work(
      String label,
      long amount,
      String unit,
      String main,
      List<String> arguments,
      BiFunction<ClientRun, String, OptionalDouble> latency) {}

  /** Creates the table of one cluster and writes it into one file. */
  abstract void load(Cluster cluster) throws IOException;

  abstract List<Work> works();

  /** Loads both tables. Runs each work on both clusters in warm-ups, and then in each round. */
  @Override
  protected final void run(Run run) throws IOException {
    run.describe(List.of(Member.values()), Member::id, member -> member.description);
    try (Cluster stock = start(run, Member.STOCK);
        Cluster ours = start(run, Member.OURS)) {
      Map<Member, Cluster> clusters = new EnumMap<>(Map.of(Member.STOCK, stock, Member.OURS, ours));
      for (Cluster cluster : clusters.values()) {
        load(cluster);
      }
      List<Work> works = works();
      for (int round = -warmUps; round < rounds.rounds; round++) {
        for (Work work : works) {
          for (Member member : Interleaved.order(clusters.keySet(), round)) {
            measure(run, clusters.get(member), work, member.id(), round);
          }
        }
      }
    }
  }

  private Cluster start(Run run, Member member) {
    return new Cluster(
        run,
        member.id(),
        builder -> {
          builder.daemon(Role.REGIONSERVER, options -> options.heap(heap));
          QUIET.forEach(builder::conf);
          member.describe(builder, cache);
        });
  }

  private void measure(Run run, Cluster cluster, Work work, String member, int round)
      throws IOException {
    String label = round < 0 ? "warm-up" : Interleaved.label(round, rounds.rounds);
    Console.Step step = run.step(work.unit(), label, work.label(), member);
    ClientRun done = execute(cluster, work.main(), work.arguments());
    double cpu = done.serverCpuNanos() / 1e3 / work.amount();
    double seconds = done.seconds().orElse(done.nanos() / 1e9);
    if (round >= 0) {
      String prefix = work.label() + ": ";
      run.round(prefix + "CPU", Map.of(), member, "us/" + work.unit(), cpu);
      if (done.seconds().isPresent()) {
        double rate = work.amount() / seconds;
        run.round(prefix + "throughput", Map.of(), member, work.unit() + "s/s", rate);
      }
      for (String percentile : List.of("50", "99")) {
        work.latency()
            .apply(done, percentile)
            .ifPresent(
                micros -> run.round(prefix + "p" + percentile, Map.of(), member, "us", micros));
      }
    }
    step.done(String.format("%.2f CPU us/%s, %.1f s", cpu, work.unit(), seconds));
  }

  /** Runs a program of published jars on one cluster until it ends. */
  static ClientRun execute(Cluster cluster, String main, List<String> arguments)
      throws IOException {
    List<String> lines = new ArrayList<>();
    Usage usage = Usage.of(cluster, () -> execute(cluster, main, arguments, lines));
    return new ClientRun(lines, usage.wallNanos(), usage.regionServer().totalNanos());
  }

  private static void execute(
      Cluster cluster, String main, List<String> arguments, List<String> lines) throws IOException {
    Path jar = Layout.here().base().resolve("benchmarks.jar");
    int code =
        cluster
            .processes()
            .runClient(main, arguments, options -> options.prependToClasspath(jar), lines::add);
    if (code != 0) {
      List<String> end = lines.subList(Math.max(0, lines.size() - SHOWN), lines.size());
      throw new IOException(
          main + " " + arguments + " ended with " + code + ": " + String.join("\n", end));
    }
  }
}
