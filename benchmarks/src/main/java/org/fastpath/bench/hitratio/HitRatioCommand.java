package org.fastpath.bench.hitratio;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.fastpath.bench.Versions;
import org.fastpath.bench.report.Report;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.workload.Commands;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.WorkDirectory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Replays traces on all policies. A command line of its own, because the jar with our policy has to
 * be on the class path, where the stock worlds must not have it.
 */
@Command(
    name = "hit-ratio",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Hit ratios of our eviction policy, Caffeine, LRU, S3-FIFO, SIEVE and the optimum on made or recorded"
            + " traces. No cluster is needed.")
public final class HitRatioCommand implements Callable<Integer> {
  private static final String COMMAND_NAME = "fastpath.command";
  private static final String MEASUREMENT = "hit-ratio";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Recorded traces to replay instead of those that are there: lines of FILE OFFSET LENGTH [scan], compressed if the name ends with .gz.")
  private List<Path> files = List.of();

  @Option(
      names = "--reads",
      paramLabel = "N",
      description = "Reads of each made trace (default: ${DEFAULT-VALUE}).")
  private int reads = 2_000_000;

  @Option(
      names = "--warm-up",
      paramLabel = "PERCENT",
      description =
          "Reads at the beginning of a trace that do not count (default: ${DEFAULT-VALUE}).")
  private int warmUp = 20;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      split = ",",
      description = "Seeds of generated traces; one round each (default: 1,2,3).")
  private List<Long> seeds = List.of(1L, 2L, 3L);

  @Option(
      names = "--cache",
      paramLabel = "PERCENT",
      split = ",",
      description = "Sizes of the cache, of all blocks' bytes (default: 1,10,30).")
  private List<Integer> percents = List.of(1, 10, 30);

  @Option(
      names = "--traces",
      paramLabel = "REGEX",
      description = "Only traces whose names contain this.")
  private String pattern = "";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (default: build/hit-ratio).")
  private Path out;

  private final HitRatioTable table = new HitRatioTable();
  private final Console console = new Console();

  /** The command line. */
  public static void main(String[] args) {
    String prefix = System.getProperty(COMMAND_NAME, "");
    System.exit(
        new CommandLine(new HitRatioCommand())
            .setCommandName((prefix + " hit-ratio").trim())
            .execute(args));
  }

  @Override
  public Integer call() throws IOException {
    check();
    Results.Builder results =
        Results.builder(
                "Hit ratio of cache policies", Environment.here(commandLine(), Versions.all()))
            .candidate(Contender.OURS.title());
    for (Contender contender : Contender.values()) {
      results.describe(contender.title(), contender.description());
    }
    for (int percent : percents) {
      for (long seed : files.isEmpty() ? seeds : List.of(0L)) {
        for (Trace trace : traces(percent / 100.0, seed)) {
          replay(trace, percent, results);
        }
      }
    }
    results.better(MEASUREMENT, Measurement.Better.HIGHER);
    publish(results.build());
    return CommandLine.ExitCode.OK;
  }

  private String commandLine() {
    return spec.commandLine().getParseResult().originalArgs().stream()
        .collect(Collectors.joining(" ", "bin/fastpath hit-ratio ", ""))
        .trim();
  }

  private void check() {
    Commands.atLeast(spec, "--reads", 1_000, reads);
    for (int percent : percents) {
      if (percent < 1 || percent > 100) {
        throw Commands.refusal(spec, "--cache is " + percent + ": 1 to 100 percent are possible");
      }
    }
    if (warmUp < 0 || warmUp > 99) {
      throw Commands.refusal(spec, "--warm-up is " + warmUp + ": 0 to 99 percent are possible");
    }
  }

  private List<Trace> traces(double share, long seed) throws IOException {
    List<Trace> traces = new ArrayList<>();
    if (files.isEmpty()) {
      traces.addAll(new Traces(reads, seed).all(share));
      traces.addAll(TraceFile.recorded());
      traces.removeIf(trace -> !trace.name().matches(".*(" + pattern + ").*"));
    }
    for (Path file : files) {
      traces.add(TraceFile.read(file));
    }
    return traces;
  }

  private void replay(Trace trace, int percent, Results.Builder results) {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("trace", trace.name());
    params.put("cache", percent + " %");
    long bytes = trace.bytes() * percent / 100;
    int first = (int) ((long) trace.reads().length * warmUp / 100);
    StringBuilder line = new StringBuilder(percent + " %, " + trace.name() + ":");
    Contender[] contenders = Contender.values();
    double[] ratios =
        Arrays.stream(contenders)
            .parallel()
            .mapToDouble(contender -> contender.hitRatio(trace, bytes, first))
            .toArray();
    for (Contender contender : contenders) {
      double ratio = ratios[contender.ordinal()];
      results.round(MEASUREMENT, params, contender.title(), "%", ratio);
      table.add(percent / 100.0, trace.name(), contender, ratio);
      line.append(String.format(Locale.ROOT, " %s %.2f", contender.title(), ratio));
    }
    console.line(line.toString());
  }

  private void publish(Results results) throws IOException {
    Path directory = out == null ? WorkDirectory.underHome("build/hit-ratio") : out;
    Path json = directory.resolve("hit-ratio.json");
    results.write(json);
    Path page = directory.resolve("hit-ratio.html");
    Report.write(page, List.of(json));
    console.print(table.markdown());
    console.print("report:  " + page + "\nresults: " + json + "\n");
  }
}
