package org.fastpath.bench.workloads.tiers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Meter;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.bench.engine.results.Measurement.Better;
import org.fastpath.cluster.DaemonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Loads an empty table in the eleven cases of the story. Each variant and round of a case has a new
 * cluster. Variants of one case follow each other; each round starts with another one.
 */
@Command(
    name = "tiers",
    header = "RAM, SSDs and disks in eleven mixes",
    description =
        "Loads a table on RAM, SSDs and disks in the eleven mixes of the story \"HDFS HSM and HBase\", whose speed is"
            + " a model: throughput, latencies, the work and the limits of devices. Sides: stock-best, stock-capacity,"
            + " rules, ours, ours-guarded. The last one is compared with the others.")
@Experiment.Quick("--rounds 1 --warm-up 5 --seconds 10 --cases 1T_SSD_HDD --sides stock-best,ours")
public final class TierCases extends Experiment {
  /** The variant of the published figures. */
  private static final String STORY = "story";

  private static final int READING_MILLIS = 2000;

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);
  @Mixin private Options.Times times = new Options.Times(20, 40);

  @Option(names = "--cases", split = ",", description = "Cases, by the story's names.")
  private List<String> cases = TierCase.ALL.stream().map(TierCase::label).toList();

  @Option(names = "--sides", split = ",")
  private List<String> variants = List.of("stock-best", "stock-capacity", "ours");

  @Option(
      names = "--factor",
      converter = Options.Positive.class,
      description =
          "Factor by which devices are slower than the story's, so that they are the limit.")
  private int factor = 128;

  @Option(
      names = "--pages",
      description =
          "Models the page cache of the story's machines, which is small if there is a RAM disk."
              + " Compactions then read missing pages from devices. Without it reads cost nothing.")
  private boolean pages;

  @Option(
      names = "--conf",
      paramLabel = "[SIDE:]KEY=VALUE",
      description = "Configuration of RegionServers, of one side or of all; repeatable.")
  private Map<String, String> conf = Map.of();

  @Option(names = "--threads", converter = Options.Positive.class)
  private int threads = 48;

  @Option(names = "--batch", converter = Options.Positive.class, description = "Rows of a request.")
  private int batch = 50;

  /** Changes the options of DataNode and RegionServer. */
  Consumer<DaemonOptions> process = options -> {};

  @Override
  protected void check() {
    chosenCases();
    sides(variants);
    sides(
        conf.keySet().stream()
            .filter(key -> key.contains(":"))
            .map(key -> key.replaceFirst(":.*", ""))
            .toList());
  }

  private List<TierCase> chosenCases() {
    return chosen("case", cases, TierCase.ALL, TierCase::label);
  }

  private List<TierVariant> sides(List<String> names) {
    return chosen("side", names, List.of(TierVariant.values()), variant -> variant.label);
  }

  private String name(String figure) {
    return (pages ? "tiers.pages." : "tiers.") + figure;
  }

  @Override
  protected void run(Run run) throws IOException {
    run.directory().requireRoomForSockets();
    run.describe(sides(variants), variant -> variant.label, variant -> variant.description);
    describeStory(run);
    for (int round = 0; round < rounds.rounds; round++) {
      Map<TierVariant, Map<TierCase, TierWindow>> loads = new EnumMap<>(TierVariant.class);
      for (TierCase one : chosenCases()) {
        List<TierVariant> able =
            sides(variants).stream().filter(variant -> variant.appliesTo(one)).toList();
        for (TierVariant variant : Interleaved.order(able, round)) {
          String label = Interleaved.label(round, rounds.rounds);
          Console.Step step = run.step("rows", label, one.label(), variant.label);
          TierWindow load = measure(run, one, variant, round);
          loads.computeIfAbsent(variant, any -> new LinkedHashMap<>()).put(one, load);
          step.done(load.toString());
        }
      }
      loads.forEach((variant, byCase) -> ratios(run, name("ratio."), variant.label, byCase));
    }
    run.results().better(name("ratio.throughput"), Better.HIGHER);
  }

  /** Adds the ratios of the story's conclusions, if a round has both cases. */
  static void ratios(Run run, String prefix, String variant, Map<TierCase, TierWindow> byCase) {
    byCase.forEach(
        (one, load) ->
            byCase.forEach(
                (over, base) -> {
                  if (one.comparedWith().contains(over.label())) {
                    Map<String, String> params =
                        new Params().with("case", one.label()).with("over", over.label());
                    double faster = load.rate() / base.rate();
                    double longer = load.meanMillis() / base.meanMillis();
                    boolean cpu = List.of(load.limit(), base.limit()).contains("CPU");
                    run.round(prefix + "throughput", params, variant, "×", faster);
                    run.round(prefix + "latency", params, variant, "×", longer);
                    run.round(prefix + "cpu-limited", params, variant, "of rounds", cpu ? 1 : 0);
                  }
                }));
  }

  private void describeStory(Run run) {
    String rate = "the story's inserts a second, divided by " + factor;
    run.results().describe(STORY, rate + "; other cases' are not in its text");
    for (TierCase one : chosenCases()) {
      if (!Double.isNaN(one.storyRate())) {
        Map<String, String> params = Map.of("case", one.label());
        run.round(name("load.throughput"), params, STORY, "rows/s", one.storyRate() / factor);
      }
    }
  }

  private TierWindow measure(Run run, TierCase one, TierVariant variant, int round)
      throws IOException {
    run.directory().deleteCluster();
    Map<String, String> params = Map.of("case", one.label());
    TierScale scale = new TierScale(one, factor, times.warmUp + times.seconds, pages);
    try (TierCluster cluster = new TierCluster(run, variant, scale, variant.own(conf), process)) {
      RequestLoad.Request inserts = YcsbRows.inserts(batch);
      // New clients, so late requests of the earlier ones are not measured.
      try (RequestLoad clients = clients(cluster, inserts)) {
        Pause.millis(times.warmUp * 1000L);
        clients.stop();
      }
      TierWindow load = window(cluster, one, inserts);
      run.round(load.figures(), name("load."), params, variant.label, load);
      for (String limit : TierWindow.LIMITS) {
        double reached = load.limit().equals(limit) ? 1 : 0;
        run.round(name("load.limit.") + limit, params, variant.label, "of rounds", reached);
      }
      if (round == 0) {
        draw(run, load, one, variant);
      }
      cluster
          .placement()
          .megabytes
          .forEach((name, size) -> run.round(name(name), params, variant.label, "MB", size));
      cluster.kill();
      return load;
    }
  }

  private TierWindow window(TierCluster cluster, TierCase one, RequestLoad.Request request)
      throws IOException {
    try (Meter meter = new Meter(cluster, clients(cluster, request), Optional.empty(), false)) {
      List<TierWindow.Reading> readings = new ArrayList<>();
      Usage servers =
          Usage.of(
              cluster,
              () -> {
                readings.add(cluster.read());
                for (long left = times.seconds * 1000L; left > 0; left -= READING_MILLIS) {
                  Pause.millis(Math.min(left, READING_MILLIS));
                  readings.add(cluster.read());
                }
              });
      Window clients = meter.window(0);
      meter.stop();
      return new TierWindow(one.volumes(), readings, servers, clients);
    }
  }

  private RequestLoad clients(TierCluster cluster, RequestLoad.Request request) throws IOException {
    return new RequestLoad(cluster.connection(), YcsbRows.TABLE, request, threads, threads);
  }

  private static void draw(Run run, TierWindow load, TierCase one, TierVariant variant) {
    String chart = "utilization of devices, " + one.label();
    for (Tier tier : Tier.values()) {
      if (load.volumes().contains(tier)) {
        String line = variant.label + ", " + tier;
        run.line(chart, line, "s", "%", load.seconds(), load.busyOverTime(tier));
      }
    }
    String memstores = "memstores, " + one.label();
    run.line(memstores, variant.label, "s", "MB", load.seconds(), load.memstoreOverTime());
  }
}
