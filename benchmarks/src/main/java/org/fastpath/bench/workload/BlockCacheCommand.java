package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.World;
import org.fastpath.bench.offheap.BlockCacheExperiment;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@link BlockCacheExperiment}. */
@Command(
    name = "block-cache",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Block caches without a cluster, a JVM each. Measures stalls of a reader during evictions, heap per block,"
            + " wasted memory, and inserts while the cache grows. Sides: bucket-cache, caffeine, ours, before.")
final class BlockCacheCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--measure",
      paramLabel = "WHAT",
      split = ",",
      description = "stalls, heap, waste, growth (default: all).")
  private List<String> measured = BlockCacheExperiment.all();

  @Option(
      names = "--caches",
      paramLabel = "SIDE",
      split = ",",
      description = "bucket-cache, caffeine, ours, before (default: the first three).")
  private List<String> caches = BlockCacheExperiment.caches();

  @Option(
      names = "--before",
      paramLabel = "JAR",
      description = "An earlier build of hbase-offheap-read, for the side before.")
  void before(Path jar) {
    System.setProperty(World.BEFORE, jar.toAbsolutePath().toString());
  }

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each cache is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Stalls: how long the reader reads (default: ${DEFAULT-VALUE}).")
  private int seconds = 30;

  @Option(
      names = "--inserts",
      paramLabel = "N",
      description = "Stalls: blocks of 64 KB inserted per second (default: ${DEFAULT-VALUE}).")
  private int insertsPerSecond = 8000;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Heap: how many blocks are cached (default: ${DEFAULT-VALUE}).")
  private int blocks = 1_000_000;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (default: build/block-cache).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    BlockCacheExperiment.Plan plan = plan();
    Console console = new Console();
    Path path = out == null ? WorkDirectory.underHome("build/block-cache") : out;
    try (WorkDirectory directory = new WorkDirectory(path)) {
      Results.Builder results =
          Commands.results(spec, "Block caches: stalls, heap and wasted memory");
      new BlockCacheExperiment(plan, results, console::line).run(directory.resolve("probes.log"));
      Commands.publish(results.build(), directory, "block-cache", console);
    }
    return 0;
  }

  private BlockCacheExperiment.Plan plan() {
    Commands.atLeast(spec, "--rounds", 1, rounds);
    Commands.atLeast(spec, "--seconds", 1, seconds);
    Commands.atLeast(spec, "--inserts", 1, insertsPerSecond);
    Commands.atLeast(spec, "--blocks", 100_000, blocks);
    return Commands.accepted(
        spec,
        () ->
            new BlockCacheExperiment.Plan(
                measured, caches, rounds, seconds, insertsPerSecond, blocks));
  }
}
