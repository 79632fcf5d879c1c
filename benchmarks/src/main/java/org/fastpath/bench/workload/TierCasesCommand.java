package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fastpath.bench.report.Report;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.tiered.SideConf;
import org.fastpath.bench.tiered.TierCase;
import org.fastpath.bench.tiered.TierCasesExperiment;
import org.fastpath.bench.tiered.TierScale;
import org.fastpath.bench.tiered.TierSide;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link TierCasesExperiment}. */
@Command(
    name = "tiers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Loads a table on RAM, SSDs and disks in the eleven mixes of the story \"HDFS HSM and HBase\", whose speed is"
            + " a model: throughput, latencies, what each device did and what was the limit. Sides: stock HBase with"
            + " its best settings, and ours with rules for store files, volumes by latency and the mover.")
final class TierCasesCommand implements Callable<Integer> {
  private static final String NAME = "tiers";

  @Spec private CommandSpec spec;

  @Option(
      names = "--cases",
      paramLabel = "NAME",
      split = ",",
      description = "The story's names, 50G_RAM to 1T_RAM_SSD_All_HDD (default: all).")
  private List<String> cases = Arrays.stream(TierCase.values()).map(TierCase::label).toList();

  @Option(
      names = "--sides",
      paramLabel = "NAME",
      split = ",",
      description =
          "stock-best, stock-capacity, rules, ours, ours-guarded; the last one is compared with the others (default:"
              + " stock-best, stock-capacity, ours).")
  private List<String> sides = List.of("stock-best", "stock-capacity", "ours");

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side runs (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description = "The beginning of a load that is not measured (default: ${DEFAULT-VALUE}).")
  private int warmUp = 20;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long a load is measured then (default: ${DEFAULT-VALUE}).")
  private int seconds = 40;

  @Option(
      names = "--scale-seconds",
      paramLabel = "N",
      description =
          "Duration of a load of all data at the rate of 1T_SSD, which sets the scale "
              + "(default: warm-up and measurement together). At a lower --rate the same data take "
              + "longer.")
  private int scaleSeconds;

  @Option(
      names = "--run-seconds",
      paramLabel = "N",
      description =
          "How long favourites by Zipf's law are written anew afterwards, which the story did not (default:"
              + " ${DEFAULT-VALUE}).")
  private int runSeconds;

  @Option(
      names = "--factor",
      paramLabel = "N",
      description =
          "How many times as slow as in the story devices are: so many that they are the limit, not this machine's"
              + " CPU (default: ${DEFAULT-VALUE}).")
  private int factor = 128;

  @Option(
      names = "--pages",
      description =
          "Models the page cache of the machines of the story, which is small beside a RAM "
              + "disk. Compactions then read missing pages from devices. Without it reads cost "
              + "nothing.")
  private boolean pages;

  @Option(
      names = "--conf",
      paramLabel = "[SIDE:]KEY=VALUE",
      description =
          "Configuration of RegionServers, of one side or of all; may be given often. The "
              + "settings of the story are for files on one tier.")
  private Map<String, String> conf = Map.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of the client (default: ${DEFAULT-VALUE}).")
  private int threads = 48;

  @Option(
      names = "--batch",
      paramLabel = "ROWS",
      description = "Rows of a request (default: ${DEFAULT-VALUE}).")
  private int batch = 50;

  @Option(
      names = "--rate",
      paramLabel = "ROWS/S",
      description =
          "Rows to insert per second, to compare latencies at equal load; 0 for no limit "
              + "(default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/tiers).")
  private Path out;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "The page, once more (default: beside the results only).")
  private Path report;

  @Override
  public Integer call() throws IOException {
    TierCasesExperiment.Plan plan = plan();
    Results.Builder results = Commands.results(spec, "RAM, SSDs and disks in eleven mixes");
    Path json =
        Commands.measure(
            out,
            NAME,
            results,
            (directory, console) -> {
              directory.requireRoomForSockets();
              new TierCasesExperiment(plan, console, directory, results).run();
            });
    if (report != null) {
      Report.write(report, List.of(json));
    }
    return 0;
  }

  private TierCasesExperiment.Plan plan() {
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--warm-up", 0, warmUp);
    Commands.atLeast(spec, "--seconds", 1, seconds);
    Commands.atLeast(spec, "--scale-seconds", 0, scaleSeconds);
    Commands.atLeast(spec, "--run-seconds", 0, runSeconds);
    Commands.atLeast(spec, "--factor", 1, factor);
    Commands.atLeast(spec, "--threads", 1, threads);
    Commands.atLeast(spec, "--batch", 1, batch);
    Commands.atLeast(spec, "--rate", 0, rate);
    return new TierCasesExperiment.Plan(
        Commands.chosen(spec, cases, TierCase::of),
        Commands.chosen(spec, sides, TierSide::of),
        rounds,
        new TierScale(factor, scaleSeconds == 0 ? warmUp + seconds : scaleSeconds, pages),
        Commands.accepted(spec, () -> new SideConf(conf)),
        warmUp,
        seconds,
        runSeconds,
        threads,
        batch,
        rate == 0 ? Double.POSITIVE_INFINITY : (double) rate / batch);
  }
}
