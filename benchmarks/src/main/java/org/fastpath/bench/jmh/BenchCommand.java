package org.fastpath.bench.jmh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs JMH benchmarks in their worlds and writes the results as JSON. */
@Command(
    name = "benchmarks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description =
        "Runs the JMH benchmarks whose name matches PATTERN in each of their worlds, interleaved. A"
            + " world is stock with or without libhadoop, ours by provider, or plain JDK. Writes"
            + " the raw samples as JSON.")
public final class BenchCommand implements Callable<Integer> {
  private static final String CANDIDATE = World.OURS_AUTO.id();

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATTERN",
      arity = "0..1",
      description = "Regular expression for the benchmarks to include; required.")
  private String pattern;

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Results file; JMH's own output goes to FILE.log.")
  private Path out = Path.of("results.json");

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUE[,VALUE]",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "Run a parameter with these values only; repeatable.")
  private List<String> params = List.of();

  @Option(
      names = "--world",
      paramLabel = "WORLD",
      split = ",",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "Run in these worlds only; repeatable.")
  private List<String> worlds = List.of();

  @Option(names = "--quick", description = "Only a few parameter values; takes minutes.")
  private boolean quick;

  @Option(names = "--all", description = "All parameter values; takes hours.")
  private boolean all;

  @Option(
      names = "--warmups",
      converter = Options.Positive.class,
      description = "Warm-up iterations per fork.")
  private int warmups = 3;

  @Option(
      names = "--iterations",
      converter = Options.Positive.class,
      description = "Measured iterations per fork.")
  private int iterations = 5;

  @Option(
      names = "--millis",
      converter = Options.Positive.class,
      description = "Length of an iteration in milliseconds.")
  private int millis = 100;

  @Option(
      names = "--before",
      paramLabel = "JAR",
      description = "An earlier build of hbase-offheap-read, as one more side of block caches.")
  void before(Path jar) {
    System.setProperty(World.BEFORE, jar.toAbsolutePath().toString());
  }

  @Option(
      names = "--cpu",
      description = "Also measure the CPU time of an operation, for a busy machine.")
  private boolean cpu;

  @Option(names = "--list", description = "Only list the runs.")
  private boolean list;

  private String command() {
    return "java -jar benchmarks/target/benchmarks.jar "
        + Experiment.line(spec).replaceFirst("^bin/fastpath \\S+ ", "");
  }

  private ParameterException refusal(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  public Integer call() throws IOException {
    SortedSet<BenchmarkListEntry> benchmarks = benchmarks();
    List<Trial> trials = trials(benchmarks);
    if (list) {
      trials.forEach(System.out::println);
      System.out.println(trials.size() + " forks per round");
    } else {
      measure(benchmarks, trials);
    }
    return CommandLine.ExitCode.OK;
  }

  private SortedSet<BenchmarkListEntry> benchmarks() {
    if (pattern == null) {
      throw refusal("an include pattern is required, for example: checksum");
    }
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw refusal("\"" + pattern + "\" is not a regular expression: " + e.getDescription());
    }
    SortedSet<BenchmarkListEntry> found = Plan.benchmarks(pattern);
    if (found.isEmpty()) {
      throw refusal("no benchmark matches \"" + pattern + "\"");
    }
    return found;
  }

  private List<Trial> trials(SortedSet<BenchmarkListEntry> benchmarks) {
    if (quick && all) {
      throw refusal("--quick and --all exclude each other");
    }
    Plan.Scope scope = quick ? Plan.Scope.QUICK : all ? Plan.Scope.ALL : Plan.Scope.STANDARD;
    List<Trial> trials;
    try {
      Set<World> only = worlds.stream().map(World::of).collect(Collectors.toSet());
      Map<String, List<String>> overrides = Plan.parse(params.toArray(String[]::new));
      trials = new Plan(scope, overrides, only).trials(benchmarks);
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage());
    }
    if (trials.isEmpty()) {
      throw refusal("no benchmark that matches \"" + pattern + "\" runs in these worlds");
    }
    return trials;
  }

  private void measure(SortedSet<BenchmarkListEntry> benchmarks, List<Trial> trials)
      throws IOException {
    Results.Builder results =
        Results.builder(
                "JMH benchmarks: " + pattern, Environment.here(command(), Environment.software()))
            .candidate(candidate(benchmarks));
    trials.forEach(trial -> results.describe(trial.world().id(), trial.world().description()));
    benchmarks.forEach(benchmark -> describe(benchmark, benchmarks, results));
    ChainedOptionsBuilder settings =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(warmups)
            .measurementIterations(iterations)
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementTime(TimeValue.milliseconds(millis))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true);
    if (cpu) {
      settings.addProfiler(CpuProfiler.class);
    }
    new Harness(settings.build(), rounds.rounds).run(trials, results, Path.of(out + ".log"));
    results.build().write(out);
    System.out.println("results: " + out);
  }

  /**
   * Returns the candidate of the page, which has one. If any benchmark compares worlds, it is that
   * of the worlds.
   */
  private static String candidate(SortedSet<BenchmarkListEntry> benchmarks) {
    Set<String> candidates =
        benchmarks.stream()
            .map(benchmark -> Plan.annotation(benchmark, Sides.Variants.class))
            .map(variants -> variants.map(Sides.Variants::candidate).orElse(CANDIDATE))
            .collect(Collectors.toCollection(TreeSet::new));
    return candidates.contains(CANDIDATE) ? CANDIDATE : candidates.iterator().next();
  }

  /** Describes the variants of a benchmark, names its running rivals, and describes a rival. */
  private static void describe(
      BenchmarkListEntry benchmark, SortedSet<BenchmarkListEntry> all, Results.Builder results) {
    String name = Trial.shortName(benchmark.getUsername());
    Plan.annotation(benchmark, Sides.Variants.class)
        .map(variants -> Plan.parse(variants.legend()))
        .orElse(Map.of())
        .forEach((variant, words) -> results.describe(variant, String.join(",", words)));
    Plan.annotation(benchmark, Sides.Rivals.class)
        .ifPresent(
            rivals -> {
              List<String> running =
                  all.stream().map(any -> Trial.shortName(any.getUsername())).toList();
              List<String> here = Stream.of(rivals.value()).filter(running::contains).toList();
              if (!here.isEmpty()) {
                results.rivals(name, here);
              }
              if (!rivals.summary().isEmpty()) {
                results.describe(name, rivals.summary());
              }
            });
  }
}
