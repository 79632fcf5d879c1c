package org.fastpath.bench.tiered;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.GcEvent;
import org.fastpath.bench.workload.Pause;
import org.fastpath.bench.workload.RequestLoad;
import org.fastpath.bench.workload.WorkDirectory;
import org.fastpath.cluster.DaemonOptions;

/**
 * The eleven cases of the story, each on a cluster of its own that is new for each side and round:
 * an empty table is loaded for a while, and perhaps its favourites are written anew for another.
 * Sides of one case follow each other, another one first in each round.
 */
public final class TierCasesExperiment {
  private static final String NAME = "tiers.";
  private static final String NAME_WITH_PAGES = "tiers.pages.";

  /** The side of the published figures. */
  private static final String STORY = "story";

  private static final int MILLIS = 1000;
  private static final int READING_MILLIS = 2 * MILLIS;
  private static final double MEGABYTE = 1 << 20;

  private final Plan plan;
  private final String name;
  private final Console console;
  private final WorkDirectory directory;
  private final Results.Builder results;

  /** What DataNode and RegionServer are started with besides. */
  private final Consumer<DaemonOptions> process;

  /**
   * How much is done.
   *
   * @param sides in the order of the first round
   * @param rounds how often each side runs
   * @param scale of the cluster
   * @param conf of RegionServers besides
   * @param warmUpSeconds the part of the load before it is measured
   * @param seconds that are measured then
   * @param runSeconds how long favourites are written anew after the load; the story did not
   * @param threads of the client
   * @param batch rows of a request
   * @param requestsPerSecond that are due; infinite for as many as the threads can
   */
  public record Plan(
      List<TierCase> cases,
      List<TierSide> sides,
      int rounds,
      TierScale scale,
      SideConf conf,
      int warmUpSeconds,
      int seconds,
      int runSeconds,
      int threads,
      int batch,
      double requestsPerSecond) {}

  /** Prepares it. */
  public TierCasesExperiment(
      Plan plan, Console console, WorkDirectory directory, Results.Builder results) {
    this(plan, console, directory, results, options -> {});
  }

  TierCasesExperiment(
      Plan plan,
      Console console,
      WorkDirectory directory,
      Results.Builder results,
      Consumer<DaemonOptions> process) {
    this.plan = plan;
    name = plan.scale().pages() ? NAME_WITH_PAGES : NAME;
    this.console = console;
    this.directory = directory;
    this.results = results;
    this.process = process;
  }

  /** Runs it; the figures are in the results then. */
  public void run() throws IOException {
    describe();
    for (int round = 0; round < plan.rounds(); round++) {
      StoryRatios ratios = new StoryRatios();
      for (TierCase one : plan.cases()) {
        List<TierSide> sides = plan.sides().stream().filter(side -> side.appliesTo(one)).toList();
        for (TierSide side : Interleaved.order(sides, round)) {
          ratios.add(one, side, measure(one, side, round));
        }
      }
      ratios.record(results, name);
    }
    results.better(name + "ratio.throughput", Measurement.Better.HIGHER);
  }

  private void describe() {
    plan.sides().forEach(side -> results.describe(side.label(), side.description()));
    results.candidate(plan.sides().get(plan.sides().size() - 1).label());
    results.describe(
        STORY,
        String.format(
            Locale.ROOT,
            "the story's inserts a second, divided by %.0f; other cases' are not in its text",
            plan.scale().factor()));
    for (TierCase one : plan.cases()) {
      one.storyRate()
          .ifPresent(
              rate ->
                  results.round(
                      name + "load.throughput",
                      params(one),
                      STORY,
                      "rows/s",
                      rate / plan.scale().factor()));
    }
  }

  private static Map<String, String> params(TierCase one) {
    return Map.of("case", one.label());
  }

  private TierWindow measure(TierCase one, TierSide side, int round) throws IOException {
    Console.Step step =
        console.step(
            String.format(
                Locale.ROOT,
                "round %d of %d, %s, %s",
                round + 1,
                plan.rounds(),
                one.label(),
                side.label()),
            "rows");
    directory.deleteCluster();
    try (TierTestbed testbed =
        TierTestbed.start(
            directory.cluster(),
            directory.resolve("regionserver-gc.log"),
            one,
            side,
            plan.scale(),
            plan.conf().of(side),
            process,
            line -> {})) {
      TierWindow load = load(testbed, one, side, round);
      placement(testbed, one, side);
      step.done(summary(load));
      return load;
    }
  }

  private TierWindow load(TierTestbed testbed, TierCase one, TierSide side, int round)
      throws IOException {
    RequestLoad.Request inserts = YcsbRows.inserts(plan.batch());
    warmUp(testbed, inserts);
    TierWindow load = window(testbed, inserts, plan.seconds());
    record("load", load, one, side);
    if (round == 0) {
      draw(load, one, side);
    }
    if (plan.runSeconds() > 0) {
      int rows = Math.max(1, (int) load.rows());
      TierWindow run = window(testbed, YcsbRows.updates(plan.batch(), rows), plan.runSeconds());
      record("run", run, one, side);
    }
    return load;
  }

  private TierWindow window(TierTestbed testbed, RequestLoad.Request request, int seconds)
      throws IOException {
    try (RequestLoad clients = clients(testbed, request)) {
      List<TierReading> readings = new ArrayList<>();
      readings.add(testbed.read());
      for (long left = (long) seconds * MILLIS; left > 0; left -= READING_MILLIS) {
        Pause.millis(Math.min(left, READING_MILLIS));
        readings.add(testbed.read());
      }
      long written = clients.rows();
      var latencies = clients.latencies();
      clients.stop();
      return new TierWindow(
          testbed.volumes(),
          readings,
          written,
          latencies,
          GcEvent.between(
              testbed.collections(),
              readings.get(0).millis(),
              readings.get(readings.size() - 1).millis()));
    }
  }

  /** With clients of its own, so that what they were late with is not measured. */
  private void warmUp(TierTestbed testbed, RequestLoad.Request request) throws IOException {
    try (RequestLoad clients = clients(testbed, request)) {
      Pause.millis((long) plan.warmUpSeconds() * MILLIS);
      clients.stop();
    }
  }

  private RequestLoad clients(TierTestbed testbed, RequestLoad.Request request) {
    return new RequestLoad(
        testbed.connection(),
        YcsbRows.TABLE,
        request,
        plan.threads(),
        plan.threads(),
        plan.requestsPerSecond());
  }

  private void record(String phase, TierWindow window, TierCase one, TierSide side) {
    window
        .figures()
        .forEach(
            (nameAndUnit, value) -> {
              int blank = nameAndUnit.indexOf(' ');
              results.round(
                  name + phase + "." + nameAndUnit.substring(0, blank),
                  params(one),
                  side.label(),
                  nameAndUnit.substring(blank + 1),
                  value);
            });
    for (TierWindow.Limit limit : TierWindow.Limit.values()) {
      results.round(
          name + phase + ".limit." + limit.label(),
          params(one),
          side.label(),
          "of rounds",
          window.limit() == limit ? 1 : 0);
    }
  }

  private void placement(TierTestbed testbed, TierCase one, TierSide side) throws IOException {
    TierPlacement placement = testbed.placement();
    for (TierPlacement.Kind kind : TierPlacement.Kind.values()) {
      for (Tier tier : Tier.values()) {
        if (placement.bytes(kind, tier) > 0) {
          megabytes(
              "placed." + kind.label() + "." + tier.label(),
              one,
              side,
              placement.bytes(kind, tier));
        }
      }
      megabytes("misplaced." + kind.label(), one, side, placement.misplacedBytes(kind));
    }
  }

  private void megabytes(String figure, TierCase one, TierSide side, long bytes) {
    results.round(name + figure, params(one), side.label(), "MB", bytes / MEGABYTE);
  }

  private void draw(TierWindow load, TierCase one, TierSide side) {
    for (Tier tier : Tier.values()) {
      if (load.volumes().contains(tier)) {
        line(
            one,
            "utilization of devices",
            side.label() + ", " + tier,
            "%",
            load,
            load.busyOverTime(tier));
      }
    }
    line(one, "memstores", side.label(), "MB", load, load.memstoreOverTime());
  }

  private void line(
      TierCase one, String what, String label, String unit, TierWindow load, List<Double> values) {
    results.series(new Series(what + ", " + one.label(), label, "s", unit, load.seconds(), values));
  }

  private static String summary(TierWindow load) {
    return String.format(
        Locale.ROOT,
        "%,.0f rows/s, p99 %,.0f ms; busiest device %.0f %%, CPU %.0f %%: limited by %s",
        load.rate(),
        load.quantileMillis(99),
        load.busiestPercent(),
        load.cpuPercent(),
        load.limit().label());
  }
}
