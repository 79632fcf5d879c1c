package org.fastpath.bench.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.report.Report;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * An experiment: one class that says which variants there are and what is done with each. It is its
 * own command. Rounds, order, directories, progress, results, report and {@code --quick} are here.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
public abstract class Experiment implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (default: build/NAME).",
      showDefaultValue = Help.Visibility.NEVER)
  private Path out;

  @Option(names = "--quick", description = "Few rounds with little data: shows that it works.")
  private boolean quick;

  /** The title of the report. */
  protected abstract String title();

  /** Refuses options that do not fit together. */
  protected void check() {}

  /** Options that stand for {@code --quick}; those that are given win over them. */
  protected String quick() {
    return "";
  }

  /** Measures; the figures go to the run's results. */
  protected abstract void run(Run run) throws IOException;

  @Override
  public final Integer call() throws IOException {
    if (quick) {
      takeSmall(quick().split(" "));
    }
    check();
    String name = spec.name().replaceFirst("^.* ", "");
    Path path = out == null ? WorkDirectory.underHome("build/" + name) : out;
    Results.Builder results =
        Results.builder(title(), Environment.here(line(spec), Versions.all()));
    try (WorkDirectory directory = new WorkDirectory(path)) {
      ClientLog.to(directory.resolve("client.log"));
      Run run = new Run(directory, new Console(), results);
      measure(run);
      publish(results.build(), directory.path(), name, run.console());
      directory.deleteCluster();
    }
    return 0;
  }

  /** Runs an experiment that is a command line of its own; returns its exit code. */
  public static int execute(Experiment experiment, String... args) {
    CommandLine line = new CommandLine(experiment);
    String prefix = System.getProperty("fastpath.command", "");
    return line.setCommandName((prefix + " " + line.getCommandName()).trim()).execute(args);
  }

  /** Parses once more, with options of which only those count that were not given. */
  private void takeSmall(String... options) {
    CommandSpec own = spec;
    ParseResult given = spec.commandLine().getParseResult();
    List<String> args = new ArrayList<>();
    for (int i = 0; i + 1 < options.length; i += 2) {
      if (!given.hasMatchedOption(options[i])) {
        args.addAll(List.of(options[i], options[i + 1]));
      }
    }
    for (OptionSpec option : given.matchedOptions()) {
      option.originalStringValues().forEach(value -> args.add(option.longestName() + "=" + value));
    }
    given.matchedPositionals().forEach(files -> args.addAll(files.originalStringValues()));
    new CommandLine(this).parseArgs(args.toArray(String[]::new));
    spec = own;
  }

  private void measure(Run run) {
    try {
      run(run);
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "the experiment failed; logs are in " + run.directory().cluster().resolve("logs"), e);
    }
  }

  /** Writes results and page under that name. */
  public static void publish(Results results, Path directory, String name, Console console)
      throws IOException {
    Path json = directory.resolve(name + ".json");
    results.write(json);
    Path page = directory.resolve(name + ".html");
    Report.write(page, List.of(json));
    console.print("report:  " + page + "\nresults: " + json + "\n");
  }

  /** The command line that repeats this run. */
  public static String line(CommandSpec spec) {
    String root = spec.root() == spec ? spec.name().replaceFirst("^.* ", "") + " " : "";
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(arg -> arg.matches("[\\w./=,:-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "bin/fastpath " + root, ""))
        .trim();
  }

  /** Refuses a number that is too small, with the usage. */
  protected final void atLeast(String option, int least, int value) {
    if (value < least) {
      throw refusal(option + " is " + value + ": at least " + least + " is needed");
    }
  }

  /** Why something on the command line is refused, with the usage. */
  protected final ParameterException refusal(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Those of these names, in their order; a name that none has is refused, with the usage. */
  protected final <T> List<T> chosen(
      String kind, List<String> names, List<T> all, Function<T, String> nameOf) {
    try {
      return names.stream().map(name -> named(kind, name, all, nameOf)).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * The one of this name.
   *
   * @throws IllegalArgumentException naming those that there are
   */
  public static <T> T named(String kind, String name, List<T> all, Function<T, String> nameOf) {
    return all.stream()
        .filter(one -> nameOf.apply(one).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no " + kind + " " + name + ": " + names(all, nameOf) + " are"));
  }

  private static <T> String names(List<T> all, Function<T, String> nameOf) {
    return all.stream().map(nameOf).collect(Collectors.joining(", "));
  }
}
