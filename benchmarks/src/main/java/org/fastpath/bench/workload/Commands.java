package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.fastpath.bench.Versions;
import org.fastpath.bench.hdfs.HdfsTestbed;
import org.fastpath.bench.report.Report;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.tiered.VolumeTestbed;
import org.fastpath.cluster.VolumeSpeed;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What the commands on a cluster have in common. */
public final class Commands {
  private Commands() {}

  /** The command line that repeats this run. */
  public static String line(CommandSpec spec) {
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(arg -> arg.matches("[\\w./=,:-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "bin/fastpath ", ""));
  }

  /** Results of a run of this command, which are still to come. */
  static Results.Builder results(CommandSpec spec, String title) {
    return Results.builder(title, Environment.here(line(spec), Versions.all()));
  }

  /** What is called by these names; one that nothing has is refused, with the usage. */
  static <T> List<T> chosen(CommandSpec spec, List<String> names, Function<String, T> named) {
    return accepted(spec, () -> names.stream().map(named).toList());
  }

  /** The kind of reads that has this label; the labels there are, if none has. */
  static <T> T reads(String label, List<T> kinds, Function<T, String> labelOf) {
    return kinds.stream()
        .filter(kind -> labelOf.apply(kind).equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    kinds.stream()
                        .map(labelOf)
                        .collect(
                            Collectors.joining(
                                ", ", "there are no reads " + label + ": ", " are"))));
  }

  /** What options say; an argument that is refused is told with the usage. */
  public static <T> T accepted(CommandSpec spec, Supplier<T> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Refuses a number that is too small, with the usage. */
  public static void atLeast(CommandSpec spec, String option, int least, int value) {
    if (value < least) {
      throw refusal(spec, option + " is " + value + ": at least " + least + " is needed");
    }
  }

  /** Why something on the command line is refused, with the usage. */
  public static ParameterException refusal(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Runs an experiment; its failure says where the cluster's logs are. */
  static void run(WorkDirectory directory, Usage.Work experiment) {
    try {
      experiment.run();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "the experiment failed; logs are in " + directory.cluster().resolve("logs"), e);
    }
  }

  /**
   * Runs an experiment on HDFS alone and publishes what it measured.
   *
   * @param lockedBytes how much the DataNode has to lock in memory
   */
  static void runOnHdfs(
      Path out, String name, long lockedBytes, Results.Builder results, OnHdfs experiment)
      throws IOException {
    measure(
        out,
        name,
        results,
        (directory, console) -> {
          directory.requireRoomForSockets();
          try (HdfsTestbed testbed =
              HdfsTestbed.start(directory.cluster(), lockedBytes, console::line)) {
            experiment.run(testbed, console);
          }
        });
  }

  /**
   * Runs an experiment on a DataNode of eight volumes and publishes what it measured.
   *
   * @param volumes the storage type of each
   * @param speed of each when it is healthy
   * @param blockBytes the size of HDFS's blocks
   */
  static void runOnVolumes(
      Path out,
      String name,
      List<String> volumes,
      VolumeSpeed speed,
      int blockBytes,
      Results.Builder results,
      OnVolumes experiment)
      throws IOException {
    measure(
        out,
        name,
        results,
        (directory, console) -> {
          try (VolumeTestbed testbed =
              VolumeTestbed.start(directory.cluster(), volumes, speed, blockBytes, console::line)) {
            experiment.run(testbed, console);
          }
        });
  }

  /**
   * Runs an experiment in a directory of its own and publishes what it measured.
   *
   * @param out the directory, or null for the usual one
   * @return the file with the results
   */
  static Path measure(Path out, String name, Results.Builder results, InDirectory experiment)
      throws IOException {
    Path path = out == null ? WorkDirectory.underHome("build/" + name) : out;
    try (WorkDirectory directory = new WorkDirectory(path)) {
      ClientLog.to(directory.resolve("client.log"));
      Console console = new Console();
      run(directory, () -> experiment.run(directory, console));
      return publish(results.build(), directory, name, console);
    }
  }

  /** Something to measure. */
  @FunctionalInterface
  interface InDirectory {
    /** Does it, and leaves what it writes there. */
    void run(WorkDirectory directory, Console console) throws IOException;
  }

  /** Something to measure on HDFS. */
  @FunctionalInterface
  interface OnHdfs {
    /** Does it. */
    void run(HdfsTestbed testbed, Console console) throws IOException;
  }

  /** Something to measure on volumes. */
  @FunctionalInterface
  interface OnVolumes {
    /** Does it. */
    void run(VolumeTestbed testbed, Console console) throws IOException;
  }

  /** Writes results and page under that name, removes the cluster and returns the results' file. */
  static Path publish(Results results, WorkDirectory directory, String name, Console console)
      throws IOException {
    Path json = directory.resolve(name + ".json");
    results.write(json);
    Path page = directory.resolve(name + ".html");
    Report.write(page, List.of(json));
    directory.deleteCluster();
    console.print("report:  " + page + "\nresults: " + json + "\n");
    return json;
  }
}
