package org.fastpath.bench.engine;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.fastpath.bench.engine.report.RatioImage;
import org.fastpath.bench.engine.report.Report;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

  /** The options of {@code --quick} with values; options on the command line override them. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Quick {
    String value();
  }

  protected String title() {
    return String.join(" ", spec.usageMessage().header());
  }

  /** Refuses inconsistent options. */
  protected void check() {}

  protected String quick() {
    Quick quick = getClass().getAnnotation(Quick.class);
    return quick == null ? "" : quick.value();
  }

  /** Measures and adds the figures to the run's results. */
  protected abstract void run(Run run) throws IOException;

  @Override
  public final Integer call() throws IOException {
    if (quick && !quick().isEmpty()) {
      takeSmall();
    }
    check();
    String name = spec.name().replaceFirst("^.* ", "");
    Path path = out == null ? WorkDirectory.underHome("build/" + name) : out;
    Results.Builder results =
        Results.builder(title(), Environment.here(line(spec), Environment.software()));
    try (WorkDirectory directory = new WorkDirectory(path)) {
      logTo(directory.resolve("client.log"));
      Run run = new Run(directory, new Console(), results);
      try {
        run(run);
      } catch (IOException | RuntimeException e) {
        throw new IllegalStateException(
            "the experiment failed; logs are below " + directory.cluster(), e);
      }
      Path json = directory.resolve(name + ".json");
      Results built = results.build();
      built.write(json);
      Path page = directory.resolve(name + ".html");
      Report.write(page, List.of(json));
      if (!built.topics().isEmpty()) {
        RatioImage.write(directory.resolve(name + ".svg"), json);
      }
      run.console().print("report:  " + page + "\nresults: " + json + "\n");
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

  /** Parses the options of {@code --quick}, and sets those of the command line again. */
  private void takeSmall() {
    CommandSpec own = spec;
    Map<ArgSpec, Object> given = new LinkedHashMap<>();
    for (ArgSpec option : own.commandLine().getParseResult().matchedArgs()) {
      given.put(option, option.getValue());
    }
    new CommandLine(this).parseArgs(quick().split(" "));
    given.forEach(ArgSpec::setValue);
    spec = own;
  }

  /** Returns the command line that repeats this run. */
  public static String line(CommandSpec spec) {
    String root = spec.root() == spec ? spec.name().replaceFirst("^.* ", "") + " " : "";
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(arg -> arg.matches("[\\w./=,:-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "bin/fastpath " + root, ""))
        .trim();
  }

  protected final void atLeast(String option, int least, int value) {
    if (value < least) {
      throw refusal(option + " is " + value + ": at least " + least + " is needed");
    }
  }

  protected final ParameterException refusal(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns the items with these names, in their order; refuses unknown names with the usage. */
  protected final <T> List<T> chosen(
      String kind, List<String> names, List<T> all, Function<T, String> nameOf) {
    try {
      return names.stream().map(name -> named(kind, name, all, nameOf)).toList();
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage());
    }
  }

  /** Returns the item of this name; the error names the existing items. */
  public static <T> T named(String kind, String name, List<T> all, Function<T, String> nameOf) {
    for (T one : all) {
      if (nameOf.apply(one).equals(name)) {
        return one;
      }
    }
    String names = all.stream().map(nameOf).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "there is no " + kind + " " + name + "; choose from " + names);
  }
}
