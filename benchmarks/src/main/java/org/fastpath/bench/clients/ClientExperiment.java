package org.fastpath.bench.clients;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.fastpath.bench.clients.ClusterPair.Member;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.results.Results;

/** Runs client programs on both clusters, round by round, in turns. Not thread-safe. */
final class ClientExperiment {
  private static final long POLL_MILLIS = 200;

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

  private final ClusterPair pair;
  private final Console console;
  private final Results.Builder results;

  ClientExperiment(ClusterPair pair, Console console, Results.Builder results) {
    this.pair = pair;
    this.console = console;
    this.results = results;
    for (Member member : Member.values()) {
      results.describe(member.id(), member.description());
    }
  }

  /** Writes the cells of a table into one file. */
  void compact(Member member, TableName table) throws IOException {
    try (Connection connection = pair.connect(member);
        Admin admin = connection.getAdmin()) {
      admin.flush(table);
      admin.majorCompact(table);
      do {
        Thread.sleep(POLL_MILLIS);
      } while (admin.getCompactionState(table) != CompactionState.NONE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Runs each work once as warm-up, and then in each round on both clusters. */
  void run(List<Work> works, int rounds) throws IOException {
    for (int round = -1; round < rounds; round++) {
      for (Work work : works) {
        List<Member> order = new ArrayList<>(List.of(Member.values()));
        Collections.rotate(order, round);
        for (Member member : order) {
          ClientRun run = work.on(pair, member);
          if (round >= 0) {
            add(work, member, run);
          }
          console.line(
              String.format(
                  "round %d, %s, %s: %.2f CPU us/%s, %.1f s",
                  round + 1,
                  work.label(),
                  member.id(),
                  run.serverCpuNanos() / 1e3 / work.amount(),
                  work.unit(),
                  run.seconds().orElse(run.nanos() / 1e9)));
        }
      }
    }
  }

  private void add(Work work, Member member, ClientRun run) {
    add(work.label() + ": CPU", member, "us/" + work.unit(), cpu(work, run));
    run.seconds()
        .ifPresent(
            seconds ->
                add(
                    work.label() + ": throughput",
                    member,
                    work.unit() + "s/s",
                    work.amount() / seconds));
    for (String percentile : List.of("50", "99")) {
      work.latency(run, percentile)
          .ifPresent(micros -> add(work.label() + ": p" + percentile, member, "us", micros));
    }
  }

  private static double cpu(Work work, ClientRun run) {
    return run.serverCpuNanos() / 1e3 / work.amount();
  }

  private void add(String name, Member member, String unit, double value) {
    results.round(name, Map.of(), member.id(), unit, value);
  }
}
