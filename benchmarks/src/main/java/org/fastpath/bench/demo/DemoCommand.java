package org.fastpath.bench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.fastpath.bench.Versions;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.workload.ClientLog;
import org.fastpath.bench.workload.Commands;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.DataTable;
import org.fastpath.bench.workload.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The demo's command line. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Starts HDFS and HBase, does the same work with the stock jars and with ours in front, and shows both"
            + " sides.")
public final class DemoCommand implements Callable<Integer> {
  private static final int VALUE_BYTES = 10_000;
  private static final int FILES = 4;
  private static final int QUICK_FILES = 2;
  private static final int QUICK_ROWS = 3_000;

  /** What a new user waits for; whoever asks for a number of rounds gets them. */
  private static final Duration LIMIT = Duration.ofSeconds(345);

  private static final Duration UNLIMITED = Duration.ofDays(365);

  @Spec private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "One round with little data and no warm-up: shows that it works.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each side runs (default: 3, fewer on a slow machine; with --quick 1).")
  private Integer rounds;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 10 KB in the table (default: 25000, with --quick " + QUICK_ROWS + ").")
  private Integer rows;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, and the cluster while it runs (default: build/demo).")
  private Path out;

  @Override
  public Integer call() throws IOException {
    Demo.Plan plan = plan();
    Path path = out == null ? WorkDirectory.underHome("build/demo") : out;
    try (WorkDirectory directory = new WorkDirectory(path)) {
      ClientLog.to(directory.resolve("client.log"));
      new Demo(
              new Console(), directory, plan, Environment.here(Commands.line(spec), Versions.all()))
          .run();
    }
    return 0;
  }

  private Demo.Plan plan() {
    int chosenRounds = rounds != null ? rounds : quick ? 1 : 3;
    int chosenRows = rows != null ? rows : quick ? QUICK_ROWS : 25_000;
    requireAtLeast("--rounds", 1, chosenRounds);
    requireAtLeast("--rows", 1000, chosenRows);
    return new Demo.Plan(
        chosenRounds,
        new DataTable.Shape(chosenRows, VALUE_BYTES, quick ? QUICK_FILES : FILES),
        !quick,
        rounds == null ? LIMIT : UNLIMITED);
  }

  private void requireAtLeast(String option, int least, int value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + value + ": at least " + least + " are needed");
    }
  }
}
