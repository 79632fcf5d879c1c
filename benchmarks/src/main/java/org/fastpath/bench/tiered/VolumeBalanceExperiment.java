package org.fastpath.bench.tiered;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Interleaved;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Console;

/**
 * The table of HDFS-9608: how evenly the volumes of each storage type are written when files of two
 * types are written at the same time. Volumes are as fast as the machine, all alike; there are not
 * as many of one type as of the other, and half of the replicas are shorter than a block.
 */
public final class VolumeBalanceExperiment {
  /** SSDs first. */
  private static final int SSDS = 2;

  private static final long SEED = 9608;

  private final Plan plan;
  private final Console console;
  private final Results.Builder results;
  private int loads;

  /**
   * How much is done.
   *
   * @param sides the policies
   * @param rounds how often each policy is measured
   * @param threads writers, which write one file of each type in turn
   * @param files of each type
   * @param fileBytes a block
   */
  public record Plan(List<PolicySide> sides, int rounds, int threads, int files, int fileBytes) {}

  /** Prepares it. */
  public VolumeBalanceExperiment(Plan plan, Console console, Results.Builder results) {
    this.plan = plan;
    this.console = console;
    this.results = results;
  }

  /** The storage types of the volumes it is for. */
  public static List<String> volumes() {
    List<String> types = new ArrayList<>();
    for (int i = 0; i < VolumeScenario.VOLUMES; i++) {
      types.add((i < SSDS ? Tier.SSD : Tier.HDD).volume());
    }
    return types;
  }

  /** Runs it; the figures are in the results then. */
  public void run(VolumeTestbed testbed) throws IOException {
    plan.sides().forEach(side -> results.describe(side.label(), side.description()));
    results.candidate(plan.sides().get(plan.sides().size() - 1).label());
    Interleaved.rounds(plan.rounds(), plan.sides(), (side, round) -> measure(testbed, side, round));
  }

  private void measure(VolumeTestbed testbed, PolicySide side, String round) throws IOException {
    testbed.use(side);
    Console.Step step = console.step(round + ", " + side.label(), "files");
    Path ssds = testbed.directory("/ssd-" + ++loads, Tier.SSD);
    Path disks = testbed.directory("/hdd-" + loads, Tier.HDD);
    write(testbed.files(), ssds, disks);
    double ofSsds = unevenness(Arrays.copyOf(testbed.bytesByVolume(ssds), SSDS));
    long[] all = testbed.bytesByVolume(disks);
    double ofDisks = unevenness(Arrays.copyOfRange(all, SSDS, all.length));
    record(side, "SSD", ofSsds);
    record(side, "DISK", ofDisks);
    step.done(String.format("most from the mean: SSD %.2f %%, DISK %.2f %%", ofSsds, ofDisks));
    testbed.files().delete(ssds, true);
    testbed.files().delete(disks, true);
  }

  private void record(PolicySide side, String type, double percent) {
    results.round("volumes.unevenness", Map.of("type", type), side.label(), "%", percent);
  }

  /** How far the volume that is farthest from the mean is from it, in percent. */
  static double unevenness(long... bytes) {
    double mean = Arrays.stream(bytes).average().orElseThrow();
    return Arrays.stream(bytes)
        .mapToDouble(one -> 100 * Math.abs(one - mean) / mean)
        .max()
        .orElse(0);
  }

  private void write(FileSystem files, Path ssds, Path disks) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < plan.threads(); i++) {
        int first = i;
        writers.add(
            threads.submit(
                () -> {
                  writeEach(files, first, ssds, disks);
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while files were written", e);
    } catch (ExecutionException e) {
      throw new IOException("a writer failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** A log and a store file in turn, as one might say. */
  private void writeEach(FileSystem files, int first, Path ssds, Path disks) throws IOException {
    byte[] content = new byte[plan.fileBytes()];
    SplittableRandom random = new SplittableRandom(SEED + first);
    for (int number = first; number < plan.files(); number += plan.threads()) {
      for (Path directory : List.of(ssds, disks)) {
        int length = random.nextBoolean() ? content.length : 1 + random.nextInt(content.length - 1);
        try (OutputStream out = files.create(new Path(directory, Integer.toString(number)))) {
          out.write(content, 0, length);
        }
      }
    }
  }
}
