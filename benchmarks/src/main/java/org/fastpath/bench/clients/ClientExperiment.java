package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.fastpath.bench.clients.ClusterPair.Member;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An experiment whose client programs run on both clusters, round by round, in turns. */
abstract class ClientExperiment extends Experiment {
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

  /** A piece of a client's work. */
  interface Work {
    /** Returns the name in results. */
    String label();

    /** Returns the number of rows or operations. */
    long amount();

    /** Returns the unit: a row or an operation. */
    String unit();

    ClientRun on(ClusterPair pair, Member member) throws IOException;

    /** Returns a latency in microseconds, if the client prints it. */
    OptionalDouble latency(ClientRun run, String percentile);
  }

  /** Creates the table of one cluster and writes it into one file. */
  abstract void load(ClusterPair pair, Member member) throws IOException;

  abstract List<Work> works();

  /** Loads both tables. Runs each work on both clusters in warm-ups, and then in each round. */
  @Override
  protected final void run(Run run) throws IOException {
    run.describe(List.of(Member.values()), Member::id, Member::description);
    try (ClusterPair pair =
        new ClusterPair(run.directory().cluster(), cache, heap, run.console()::line)) {
      for (Member member : Member.values()) {
        load(pair, member);
      }
      List<Work> works = works();
      for (int round = -warmUps; round < rounds.rounds; round++) {
        for (Work work : works) {
          for (Member member : Interleaved.order(List.of(Member.values()), round)) {
            measure(run, pair, work, member, round);
          }
        }
      }
    }
  }

  private void measure(Run run, ClusterPair pair, Work work, Member member, int round)
      throws IOException {
    String label = round < 0 ? "warm-up" : Interleaved.label(round, rounds.rounds);
    Console.Step step = run.step(work.unit(), label, work.label(), member.id());
    ClientRun done = work.on(pair, member);
    double cpu = done.serverCpuNanos() / 1e3 / work.amount();
    if (round >= 0) {
      add(run, work, member, done, cpu);
    }
    step.done(
        String.format(
            "%.2f CPU us/%s, %.1f s", cpu, work.unit(), done.seconds().orElse(done.nanos() / 1e9)));
  }

  private static void add(Run run, Work work, Member member, ClientRun done, double cpu) {
    add(run, work.label() + ": CPU", member, "us/" + work.unit(), cpu);
    done.seconds()
        .ifPresent(
            seconds ->
                add(
                    run,
                    work.label() + ": throughput",
                    member,
                    work.unit() + "s/s",
                    work.amount() / seconds));
    for (String percentile : List.of("50", "99")) {
      work.latency(done, percentile)
          .ifPresent(micros -> add(run, work.label() + ": p" + percentile, member, "us", micros));
    }
  }

  private static void add(Run run, String name, Member member, String unit, double value) {
    run.round(name, Map.of(), member.id(), unit, value);
  }
}
