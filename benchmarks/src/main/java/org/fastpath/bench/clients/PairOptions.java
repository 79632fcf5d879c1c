package org.fastpath.bench.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.fastpath.bench.clients.ClusterPair.Member;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Versions;
import org.fastpath.bench.engine.WorkDirectory;
import org.fastpath.bench.engine.report.Report;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The common options of experiments with two clusters, and the frame around them. */
final class PairOptions {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Number of runs of each side (default: ${DEFAULT-VALUE}).")
  private int rounds = 4;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description = "Size of each block cache off the heap (default: ${DEFAULT-VALUE}).")
  private int cache = 512;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of each RegionServer (default: ${DEFAULT-VALUE}).")
  private String heap = "1500m";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory of results and of the running clusters (default: build/NAME).")
  private Path out;

  /** A measurement on two clusters. */
  interface Measured {
    void by(ClusterPair pair, ClientExperiment experiment) throws IOException;
  }

  int rounds() {
    return rounds;
  }

  /** Starts the clusters, measures, and writes results and report. */
  void measure(CommandSpec spec, String name, String title, Measured measured) throws IOException {
    Path path = out == null ? WorkDirectory.underHome("build/" + name) : out;
    Console console = new Console();
    try (WorkDirectory directory = new WorkDirectory(path)) {
      Results.Builder results =
          Results.builder(title, Environment.here(line(spec), Versions.all()))
              .candidate(Member.OURS.id());
      try (ClusterPair pair = ClusterPair.start(directory.cluster(), cache, heap, console::line)) {
        measured.by(pair, new ClientExperiment(pair, console, results));
      } catch (IOException | RuntimeException e) {
        throw new IllegalStateException(
            "the experiment failed; logs are in " + directory.cluster(), e);
      }
      Path json = directory.resolve(name + ".json");
      results.build().write(json);
      Path page = directory.resolve(name + ".html");
      Report.write(page, List.of(json));
      directory.deleteCluster();
      console.print("report:  " + page + "\nresults: " + json + "\n");
    }
  }

  private static String line(CommandSpec spec) {
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(arg -> arg.matches("[\\w./=,:-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "bin/fastpath ", ""));
  }
}
