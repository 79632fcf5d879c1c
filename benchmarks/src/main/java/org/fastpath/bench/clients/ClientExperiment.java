package org.fastpath.bench.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.CollapsedStacks;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * An experiment whose client programs run on two clusters, round by round, in turns. Each cluster
 * has one RegionServer, and their caches have one size.
 */
abstract class ClientExperiment extends Experiment {
  private static final List<String> MEMBERS = List.of("stock", "ours");
  private static final long MIB = 1L << 20;
  private static final long SMALLEST_LOCKED = 64 * MIB;

  private final String main;
  private final String unit;

  @Mixin private Options.Rounds rounds = new Options.Rounds(4);

  @Option(
      names = "--cache",
      paramLabel = "MB",
      converter = Options.Positive.class,
      description = "Size of each block cache off the heap.")
  private int cache = 512;

  @Option(
      names = "--warm-ups",
      converter = Options.Positive.class,
      description = "Rounds before the first one that counts.")
  private int warmUps = 2;

  /** Runs a main class; the unit of its work is a row or an operation. */
  ClientExperiment(String main, String unit) {
    this.main = main;
    this.unit = unit;
  }

  /**
   * A piece of a client's work.
   *
   * @param amount the number of rows or operations
   * @param latency the pattern of a latency in microseconds in the output, with %s in place of the
   *     percentile
   */
  record Work(String label, long amount, List<String> arguments, String latency) {}

  /** Creates the table of one cluster and writes it into one file. */
  abstract void load(Cluster cluster) throws IOException;

  abstract List<Work> works();

  /** Brings the table into the state of a round's beginning. Works that only read keep it. */
  void beginRound(Cluster cluster) throws IOException {}

  /** Loads both tables. Runs each work on both clusters in warm-ups, and then in each round. */
  @Override
  protected final void run(Run run) throws IOException {
    run.results()
        .describe("stock", "HBase as published with BucketCache")
        .describe("ours", "the same with every module and inline reads")
        .candidate("ours");
    try (Cluster stock = start(run, "stock", builder -> Cluster.bucketCache(builder, cache));
        Cluster ours = start(run, "ours", this::ours)) {
      load(stock);
      load(ours);
      for (int round = -warmUps; round < rounds.rounds; round++) {
        beginRound(stock);
        beginRound(ours);
        for (Work work : works()) {
          for (String member : Interleaved.order(MEMBERS, round)) {
            measure(run, member.equals("ours") ? ours : stock, work, member, round);
          }
        }
      }
      for (Work work : works()) {
        profile(run, stock, work, "stock");
        profile(run, ours, work, "ours");
      }
    }
  }

  /** Starts a cluster. The size of the heap is fixed, because G1 collects more while it grows. */
  private Cluster start(Run run, String member, Consumer<ClusterBuilder> more) {
    String[] flags = Testbed.memory(1500, cache).toArray(String[]::new);
    return new Cluster(
        run,
        member,
        builder -> {
          builder
              .daemon(Role.REGIONSERVER, options -> options.jvmFlags(flags))
              .conf("hbase.hregion.memstore.flush.size", Long.toString(256 * MIB));
          Cluster.QUIET.forEach(builder::conf);
          more.accept(builder);
        });
  }

  private void ours(ClusterBuilder builder) {
    Cluster.modules(builder, Modules.ALL, cache, SMALLEST_LOCKED);
  }

  private void measure(Run run, Cluster cluster, Work work, String member, int round)
      throws IOException {
    String label = round < 0 ? "warm-up" : Interleaved.label(round, rounds.rounds);
    Console.Step step = run.step(unit, label, work.label(), member);
    ClientRun done = execute(cluster, work.arguments());
    double cpu = done.serverCpuNanos() / 1e3 / work.amount();
    double seconds = done.seconds().orElse(done.nanos() / 1e9);
    if (round >= 0) {
      String prefix = work.label() + ": ";
      run.round(prefix + "CPU", Map.of(), member, "us/" + unit, cpu);
      if (done.seconds().isPresent()) {
        double rate = work.amount() / seconds;
        run.round(prefix + "throughput", Map.of(), member, unit + "s/s", rate);
      }
      for (String percentile : List.of("50", "99")) {
        done.mean(String.format(work.latency(), percentile))
            .ifPresent(
                micros -> run.round(prefix + "p" + percentile, Map.of(), member, "us", micros));
      }
    }
    step.done(String.format("%.2f CPU us/%s, %.1f s", cpu, unit, seconds));
  }

  /** Runs a work once more for a flame graph, which not every machine allows. */
  private void profile(Run run, Cluster cluster, Work work, String member) {
    try {
      CollapsedStacks.profile(
          run, cluster, work.label(), member, () -> execute(cluster, work.arguments()));
    } catch (IOException e) {
      run.console().line("no flame graph of " + work.label() + ": " + e.getMessage());
    }
  }

  /** Runs the client on one cluster until it ends. */
  final ClientRun execute(Cluster cluster, List<String> arguments) throws IOException {
    Path jar = Layout.here().base().resolve("benchmarks.jar");
    List<String> lines = new ArrayList<>();
    Usage usage =
        Usage.of(
            cluster,
            () -> {
              LocalCluster processes = cluster.processes();
              int code =
                  processes.runClient(
                      main, arguments, options -> options.prependToClasspath(jar), lines::add);
              if (code != 0) {
                List<String> end = lines.subList(Math.max(0, lines.size() - 30), lines.size());
                throw new IOException(
                    main + " " + arguments + " ended with " + code + ": " + String.join("\n", end));
              }
            });
    return new ClientRun(lines, usage.wallNanos(), usage.regionServer().totalNanos());
  }
}
