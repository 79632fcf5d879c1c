package org.fastpath.bench.engine;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
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
 * An experiment: one class that defines its variants and measures each. It is its own command. This
 * class provides rounds, order, directories, progress, results, report and {@code --quick}.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
public abstract class Experiment implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory of results (default: build/NAME).",
      showDefaultValue = Help.Visibility.NEVER)
  private Path out;

  @Option(names = "--quick", description = "Runs few rounds with little data, as a test.")
  private boolean quick;

  /** The options of {@code --quick}; options on the command line override them. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Quick {
    /** Options with their values. */
    String value();
  }

  /** Returns the title of the report: the header of the command. */
  protected String title() {
    return String.join(" ", spec.usageMessage().header());
  }

  /** Refuses inconsistent options. */
  protected void check() {}

  /** Returns the options of {@code --quick}. */
  protected String quick() {
    Quick quick = getClass().getAnnotation(Quick.class);
    return quick == null ? "" : quick.value();
  }

  /** Measures and adds the figures to the run's results. */
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
      logTo(directory.resolve("client.log"));
      Run run = new Run(directory, new Console(), results);
      measure(run);
      publish(results.build(), directory.path(), name, run.console());
      directory.deleteCluster();
    }
    return 0;
  }

  /**
   * Redirects the log of this JVM's HBase client to a file. The client logs errors when a
   * RegionServer restarts as planned, which would only interrupt the progress.
   */
  private static void logTo(Path file) throws IOException {
    PatternLayout layout = new PatternLayout("%d{ISO8601} %-5p [%t] %c{2}: %m%n");
    LogManager.resetConfiguration();
    Logger.getRootLogger().setLevel(Level.INFO);
    Logger.getRootLogger().addAppender(new FileAppender(layout, file.toString(), false));
  }

  /** Runs an experiment as a command line of its own; returns its exit code. */
  public static int execute(Experiment experiment, String... args) {
    CommandLine line = new CommandLine(experiment);
    String prefix = System.getProperty("fastpath.command", "");
    return line.setCommandName((prefix + " " + line.getCommandName()).trim()).execute(args);
  }

  /** Parses again with these options, which apply only if the command line does not set them. */
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
          "the experiment failed; logs are below " + run.directory().cluster(), e);
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

  /** Returns the command line that repeats this run. */
  public static String line(CommandSpec spec) {
    String root = spec.root() == spec ? spec.name().replaceFirst("^.* ", "") + " " : "";
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(arg -> arg.matches("[\\w./=,:-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "bin/fastpath " + root, ""))
        .trim();
  }

  /** Refuses a number that is too small and shows the usage. */
  protected final void atLeast(String option, int least, int value) {
    if (value < least) {
      throw refusal(option + " is " + value + ": at least " + least + " is needed");
    }
  }

  /** Returns an exception that refuses the command line and shows the usage. */
  protected final ParameterException refusal(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns the items with these names, in their order; refuses unknown names with the usage. */
  protected final <T> List<T> chosen(
      String kind, List<String> names, List<T> all, Function<T, String> nameOf) {
    try {
      return names.stream().map(name -> named(kind, name, all, nameOf)).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Returns the item of this name.
   *
   * @throws IllegalArgumentException naming the existing items
   */
  public static <T> T named(String kind, String name, List<T> all, Function<T, String> nameOf) {
    return all.stream()
        .filter(one -> nameOf.apply(one).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no " + kind + " " + name + "; choose from " + names(all, nameOf)));
  }

  private static <T> String names(List<T> all, Function<T, String> nameOf) {
    return all.stream().map(nameOf).collect(Collectors.joining(", "));
  }
}
