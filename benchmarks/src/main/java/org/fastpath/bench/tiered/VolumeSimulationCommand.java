package org.fastpath.bench.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.fastpath.bench.Versions;
import org.fastpath.bench.report.Report;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Commands;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.WorkDirectory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Simulates an hour of a fleet. A command line of its own, because the jar with our policy has to
 * be on the class path, where the stock worlds must not have it.
 */
@Command(
    name = "volume-simulation",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "An hour of DataNodes with a disk that fails slowly: our policy, HDFS's, and an oracle. No cluster is needed.")
public final class VolumeSimulationCommand implements Callable<Integer> {
  private static final String COMMAND_NAME = "fastpath.command";
  private static final String NAME = "volume-simulation";

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "DataNodes, shared out to the kinds of faults (default: ${DEFAULT-VALUE}).")
  private int nodes = 1000;

  @Option(
      names = "--disks",
      paramLabel = "N",
      description = "Disks of a DataNode (default: ${DEFAULT-VALUE}).")
  private int disks = 12;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      split = ",",
      description = "Seeds of the fleets; one round each (default: 1).")
  private List<Long> seeds = List.of(1L);

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (default: build/volume-simulation).")
  private Path out;

  private final Console console = new Console();
  private final AtomicInteger simulated = new AtomicInteger();

  /** The command line. */
  public static void main(String[] args) {
    String prefix = System.getProperty(COMMAND_NAME, "");
    System.exit(
        new CommandLine(new VolumeSimulationCommand())
            .setCommandName((prefix + " " + NAME).trim())
            .execute(args));
  }

  @Override
  public Integer call() throws IOException {
    int shapes = FailSlowShape.values().length;
    Commands.atLeast(spec, "--nodes", shapes, nodes);
    Commands.atLeast(spec, "--disks", 2, disks);
    Results.Builder results =
        Results.builder("Volume choice, simulated", Environment.here(commandLine(), Versions.all()))
            .candidate(VolumeContenders.OURS.title());
    for (VolumeContenders policy : VolumeContenders.values()) {
      results.describe(policy.title(), policy.description());
    }
    for (long seed : seeds) {
      for (FailSlowShape shape : FailSlowShape.values()) {
        simulate(new Fleet(nodes / shapes, disks, seed), shape, results);
      }
    }
    publish(results.build());
    return CommandLine.ExitCode.OK;
  }

  private String commandLine() {
    return spec.commandLine().getParseResult().originalArgs().stream()
        .collect(Collectors.joining(" ", "bin/fastpath " + NAME + " ", ""))
        .trim();
  }

  private void simulate(Fleet fleet, FailSlowShape shape, Results.Builder results) {
    Map<String, String> params = Map.of("fault", shape.title());
    for (VolumeContenders policy : VolumeContenders.values()) {
      FleetOutcome outcome = fleet.run(policy, shape, this::progress);
      Map<String, Double> figures = new LinkedHashMap<>(outcome.figures());
      StringBuilder line = new StringBuilder(shape.title() + ", " + policy.title() + ":");
      figures.forEach(
          (nameAndUnit, value) -> {
            String[] words = nameAndUnit.split(" ");
            results.round(NAME + "." + words[0], params, policy.title(), words[1], value);
            line.append(String.format(Locale.ROOT, " %s %.4g;", nameAndUnit, value));
          });
      console.line(line.toString());
    }
  }

  private void progress() {
    int done = simulated.incrementAndGet();
    if (done % 100 == 0) {
      console.line(done + " node hours");
    }
  }

  private void publish(Results results) throws IOException {
    Path directory = out == null ? WorkDirectory.underHome("build/" + NAME) : out;
    Path json = directory.resolve(NAME + ".json");
    results.write(json);
    Path page = directory.resolve(NAME + ".html");
    Report.write(page, List.of(json));
    console.print("report:  " + page + "\nresults: " + json + "\n");
  }
}
