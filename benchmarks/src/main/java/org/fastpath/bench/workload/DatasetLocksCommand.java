package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.tiered.LockExperiment;
import org.fastpath.bench.tiered.LockTestbed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link LockExperiment}. */
@Command(
    name = "dataset-locks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Writes to SSDs and slow disks of a DataNode while replicas are copied to it. "
            + "Measures throughput, times of writes, and waits of createRbw, createTemporary and "
            + "finalizeBlock. Sides: stock, locks of HDFS; patient, ours; unlocked, no lock of a "
            + "volume, for measuring only.")
final class DatasetLocksCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--slower",
      paramLabel = "N",
      split = ",",
      description =
          "How many times as slow as a disk of 127 MB/s and 6.7 ms the disks are (default: 1,10,100).")
  private List<Integer> slower = List.of(1, 10, 100);

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "Writing threads of each of the two types (default: 2,16).")
  private List<Integer> threads = List.of(2, 16);

  @Option(
      names = "--file",
      paramLabel = "KB",
      description = "Size of a file, which is one block (default: ${DEFAULT-VALUE}).")
  private int file = 256;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description =
          "Replicas that are copied to the DataNode a second (default: ${DEFAULT-VALUE}).")
  private int copies = 4;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each side is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 2;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description = "How long each load lasts before it is measured (default: ${DEFAULT-VALUE}).")
  private int warmUp = 5;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long it is measured (default: ${DEFAULT-VALUE}).")
  private int seconds = 15;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go, and the cluster while it runs (default: build/dataset-locks).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    LockExperiment.Plan plan = plan();
    Results.Builder results = Commands.results(spec, "Locks of a dataset with slow disks");
    Commands.measure(
        out,
        "dataset-locks",
        results,
        (directory, console) -> {
          try (LockTestbed testbed =
              LockTestbed.start(directory.cluster(), plan.fileBytes(), console::line)) {
            new LockExperiment(plan, console, results).run(testbed);
          }
        });
    return 0;
  }

  private LockExperiment.Plan plan() {
    slower.forEach(times -> Commands.atLeast(spec, "--slower", 1, times));
    threads.forEach(number -> Commands.atLeast(spec, "--threads", 1, number));
    Commands.atLeast(spec, "--file", 4, file);
    Commands.atLeast(spec, "--copies", 1, copies);
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--warm-up", 0, warmUp);
    Commands.atLeast(spec, "--seconds", 1, seconds);
    return new LockExperiment.Plan(rounds, slower, threads, warmUp, seconds, file << 10, copies);
  }
}
