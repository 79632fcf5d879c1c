package org.fastpath.bench.jmh;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.results.Results;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks in {@link World}s, or with the values of a parameter that are {@link
 * Sides.Variants}, interleaved.
 *
 * <p>In every round, each benchmark runs once in each of its worlds, with one JVM fork per run. The
 * worlds of one set of parameters run one right after the other. So both variants of every ratio
 * come from the same minute of the same machine, and each round yields a pair. The order of the
 * worlds rotates between rounds. So no world always has the warmest or the most throttled CPU.
 *
 * <p>JMH starts a fork with the class path in the system property {@code java.class.path}. This
 * class sets that property before each run, which puts the fork into its world.
 */
final class Harness {
  private static final String CLASS_PATH = "java.class.path";

  private static final String COUNTED = "#";

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Layout layout = Layout.here();
  private final Console progress = new Console();
  private final Options settings;
  private final int rounds;

  /** Creates a harness for forks with these settings and a number of rounds. */
  Harness(Options settings, int rounds) {
    this.settings = settings;
    this.rounds = rounds;
  }

  /** Runs all trials; JMH's own output goes to the log. */
  void run(List<Trial> trials, Results.Builder results, Path log) throws IOException {
    for (World world : trials.stream().map(Trial::world).distinct().toList()) {
      world.prepare(layout);
    }
    Files.createDirectories(log.toAbsolutePath().getParent());
    PrintStream console = System.out;
    PrintStream errors = System.err;
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
      // JMH forwards the output of a fork to these streams, between our lines of progress.
      System.setOut(out);
      System.setErr(out);
      rounds(trials, results, OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL));
    } catch (RunnerException e) {
      throw new IllegalStateException(e.getMessage() + "; JMH's output is in " + log, e.getCause());
    } finally {
      System.setOut(console);
      System.setErr(errors);
    }
  }

  private void rounds(List<Trial> trials, Results.Builder results, OutputFormat format)
      throws RunnerException {
    int done = 0;
    for (int round = 0; round < rounds; round++) {
      for (List<Trial> group : interleave(trials)) {
        for (Trial trial : Interleaved.order(group, round)) {
          String score = record(trial, fork(trial, format), results);
          String label =
              left(++done, rounds * trials.size()) + ", " + Interleaved.label(round, rounds);
          String what = trial.name() + " " + trial.shared();
          progress.line(String.join("  ", label, what, trial.variant(), score));
        }
      }
    }
  }

  private String left(int done, int all) {
    Duration left = progress.sinceStart().multipliedBy(all - done).dividedBy(done);
    return String.format(
        Locale.ROOT, "%d/%d, %d:%02d left", done, all, left.toMinutes(), left.toSecondsPart());
  }

  /**
   * Returns trials of the same parameters side by side, including rivals in other benchmarks. They
   * are sorted, so a rival that lacks a parameter is nearby too.
   */
  static Collection<List<Trial>> interleave(List<Trial> trials) {
    Function<Trial, String> shared = trial -> trial.shared().toString();
    return trials.stream()
        .collect(Collectors.groupingBy(shared, TreeMap::new, Collectors.toList()))
        .values();
  }

  private RunResult fork(Trial trial, OutputFormat format) throws RunnerException {
    String own = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, trial.world().classPath(layout));
    try {
      return new Runner(options(trial), format).runSingle();
    } catch (RunnerException e) {
      throw new RunnerException(trial + " failed", e);
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  private Options options(Trial trial) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .parent(settings)
            .include("^" + Pattern.quote(trial.benchmark()) + "$")
            .threads(trial.threads())
            .jvmArgs(trial.world().jvmFlags(layout).toArray(String[]::new));
    trial.params().forEach(options::param);
    return options.build();
  }

  /** Adds the round's samples and returns the median time, for the progress line. */
  private static String record(Trial trial, RunResult run, Results.Builder results) {
    String unit = run.getPrimaryResult().getScoreUnit();
    add(results, trial, trial.name(), unit, samples(run, IterationResult::getPrimaryResult));
    add(results, trial, trial.name(), "B/op", profiled(run, ALLOCATED));
    add(results, trial, trial.name() + ".cpu", "ns/op", profiled(run, CpuProfiler.LABEL));
    for (String counter : counters(run)) {
      add(results, trial, trial.name() + "." + counter, COUNTED, profiled(run, counter));
    }
    return String.format(Locale.ROOT, "%,.0f %s", run.getPrimaryResult().getScore(), unit);
  }

  /** Returns the benchmark's own counters, fields of a class with {@code @AuxCounters}. */
  private static List<String> counters(RunResult run) {
    return run.getSecondaryResults().entrySet().stream()
        .filter(result -> result.getValue().getScoreUnit().equals(COUNTED))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static double[] profiled(RunResult run, String label) {
    return samples(run, iteration -> iteration.getSecondaryResults().get(label));
  }

  private static double[] samples(RunResult run, Function<IterationResult, Result<?>> what) {
    return run.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .map(what)
        .filter(Objects::nonNull)
        .mapToDouble(Result::getScore)
        .toArray();
  }

  private static void add(
      Results.Builder results, Trial trial, String name, String unit, double[] samples) {
    if (samples.length > 0) {
      results.round(name, trial.shared(), trial.variant(), unit, samples);
    }
  }
}
