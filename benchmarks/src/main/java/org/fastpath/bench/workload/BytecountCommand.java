package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.hdfs.BytecountExperiment;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link BytecountExperiment}. */
@Command(
    name = "bytecount",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "MapReduce jobs in local mode over text in the DataNode's memory: bytes counted by value, words counted, and"
            + " grep. Time, GB/s and CPU time of a job. Modes: tcp, short-circuit-no-checksum, and for bytecount"
            + " zero-copy. The text is that of the licenses, notices and default configurations in the jars of"
            + " Hadoop, HBase and what they need, repeated.")
final class BytecountCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "MB",
      description = "Size of the file (default: ${DEFAULT-VALUE}).")
  private int size = 512;

  @Option(
      names = "--block",
      paramLabel = "MB",
      description = "Size of its HDFS blocks (default: ${DEFAULT-VALUE}).")
  private int block = 64;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description = "Map tasks at once (default: ${DEFAULT-VALUE}).")
  private int tasks = 2;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each mode is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      description = "Runs of each job that are not counted (default: ${DEFAULT-VALUE}).")
  private int warmUps = 1;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each job that are (default: ${DEFAULT-VALUE}).")
  private int runs = 1;

  @Option(
      names = "--jobs",
      paramLabel = "JOB",
      split = ",",
      description = "Which jobs run (default: bytecount,wordcount,grep).")
  private List<String> jobs = BytecountExperiment.jobs();

  @Option(
      names = "--modes",
      paramLabel = "MODE",
      split = ",",
      description = "Which modes are measured (default: all).")
  private List<String> modes = BytecountExperiment.modes();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/bytecount).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    BytecountExperiment.Plan plan = plan();
    Results.Builder results = Commands.results(spec, "MapReduce over text in the DataNode's cache");
    Commands.runOnHdfs(
        out,
        "bytecount",
        plan.bytes(),
        results,
        (testbed, console) -> new BytecountExperiment(plan, console, results).run(testbed));
    return 0;
  }

  private BytecountExperiment.Plan plan() {
    Commands.atLeast(spec, "--size", 1, size);
    Commands.atLeast(spec, "--block", 1, block);
    Commands.atLeast(spec, "--tasks", 1, tasks);
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--warm-ups", 0, warmUps);
    Commands.atLeast(spec, "--runs", 1, runs);
    return Commands.accepted(
        spec,
        () ->
            new BytecountExperiment.Plan(
                modes, rounds, jobs, warmUps, runs, tasks, (long) size << 20, (long) block << 20));
  }
}
