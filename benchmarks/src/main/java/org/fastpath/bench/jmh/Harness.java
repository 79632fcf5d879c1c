package org.fastpath.bench.jmh;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.results.Results;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks in {@link World}s, or with the values of a parameter that are {@link
 * Variants}, interleaved.
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

  /** JMH's unit of events. */
  private static final String COUNTED = "#";

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Layout layout;
  private final Settings settings;
  private final PrintStream progress;

  /**
   * The numbers and lengths of runs.
   *
   * @param rounds runs of each benchmark in each world
   * @param warmups warm-up iterations per fork
   * @param iterations measured iterations per fork
   * @param millis length of an iteration
   * @param cpu whether CPU time is measured beside the elapsed time
   */
  record Settings(int rounds, int warmups, int iterations, int millis, boolean cpu) {}

  Harness(Layout layout, Settings settings, PrintStream progress) {
    this.layout = layout;
    this.settings = settings;
    this.progress = progress;
  }

  /** Runs all trials; JMH's own output goes to the log. */
  void run(List<Trial> trials, Results.Builder results, Path log) throws IOException {
    prepareWorlds(trials);
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
    Collection<List<Trial>> groups = interleave(trials);
    Progress meter = new Progress(progress, trials.size() * settings.rounds());
    for (int round = 0; round < settings.rounds(); round++) {
      for (List<Trial> group : groups) {
        for (Trial trial : Interleaved.order(group, round)) {
          meter.done(round, trial, record(trial, fork(trial, format), results));
        }
      }
    }
  }

  private void prepareWorlds(List<Trial> trials) throws IOException {
    Set<World> worlds = new LinkedHashSet<>();
    trials.forEach(trial -> worlds.add(trial.world()));
    for (World world : worlds) {
      world.prepare(layout);
    }
  }

  /**
   * Returns trials of the same parameters side by side, including rivals in other benchmarks. They
   * are sorted, so a rival that lacks a parameter is nearby too.
   */
  static Collection<List<Trial>> interleave(List<Trial> trials) {
    Map<String, List<Trial>> groups = new TreeMap<>();
    for (Trial trial : trials) {
      groups.computeIfAbsent(trial.shared().toString(), any -> new ArrayList<>()).add(trial);
    }
    return groups.values();
  }

  private RunResult fork(Trial trial, OutputFormat format) throws RunnerException {
    String own = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, trial.world().classPath(layout));
    try {
      return new Runner(options(trial).build(), format).runSingle();
    } catch (RunnerException e) {
      throw new RunnerException(trial + " failed", e);
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  private ChainedOptionsBuilder options(Trial trial) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(trial.benchmark()) + "$")
            .forks(1)
            .threads(trial.threads())
            .warmupIterations(settings.warmups())
            .measurementIterations(settings.iterations())
            .warmupTime(TimeValue.milliseconds(settings.millis()))
            .measurementTime(TimeValue.milliseconds(settings.millis()))
            .addProfiler(GCProfiler.class)
            .jvmArgs(trial.world().jvmFlags(layout).toArray(String[]::new))
            .shouldFailOnError(true);
    trial.params().forEach(options::param);
    if (settings.cpu()) {
      options.addProfiler(CpuProfiler.class);
    }
    return options;
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

  /** Returns the samples of all iterations that have them. */
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

  /** Prints one line per fork, with an estimate of the remaining time. */
  static final class Progress {
    private final PrintStream out;
    private final int total;
    private final long start = System.nanoTime();
    private int done;

    Progress(PrintStream out, int total) {
      this.out = out;
      this.total = total;
    }

    void done(int round, Trial trial, String score) {
      done++;
      out.printf(
          "[%d/%d, %s left] round %d  %s %s  %s  %s%n",
          done, total, left(), round + 1, trial.name(), trial.shared(), trial.variant(), score);
    }

    private String left() {
      Duration left = Duration.ofNanos((System.nanoTime() - start) / done * (total - done));
      return left.toMinutes() + ":" + String.format(Locale.ROOT, "%02d", left.toSecondsPart());
    }
  }
}
