package org.fastpath.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.fastpath.bench.clients.PeCommand;
import org.fastpath.bench.clients.YcsbCommand;
import org.fastpath.bench.demo.Demo;
import org.fastpath.bench.engine.report.RatioImage;
import org.fastpath.bench.engine.report.Report;
import org.fastpath.bench.jmh.BenchCommand;
import org.fastpath.bench.workloads.caches.BlockCacheLive;
import org.fastpath.bench.workloads.caches.BlockCaches;
import org.fastpath.bench.workloads.compaction.Compaction;
import org.fastpath.bench.workloads.hdfs.HdfsCacheLive;
import org.fastpath.bench.workloads.hdfs.HdfsCacheShift;
import org.fastpath.bench.workloads.hdfs.Preads;
import org.fastpath.bench.workloads.hdfs.Vecsum;
import org.fastpath.bench.workloads.readers.ReaderLive;
import org.fastpath.bench.workloads.readers.RegionMetrics;
import org.fastpath.bench.workloads.tiers.TierCases;
import org.fastpath.bench.workloads.volumes.VolumeChoice;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line of the benchmarks: JMH benchmarks by pattern, other experiments by name. */
public final class Main {
  private Main() {}

  /** Runs the command line and exits. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs a command line and returns its exit code: 0, 1 for a failed run, 2 for wrong usage. */
  public static int run(String... args) {
    CommandLine line =
        new CommandLine(new BenchCommand())
            .addSubcommand(new WorkloadCommand())
            .addSubcommand(new Demo());
    CommandLine.getCommandMethods(Main.class, null).forEach(line::addSubcommand);
    return line.setCommandName(System.getProperty("fastpath.command", "benchmarks"))
        .setExecutionExceptionHandler(Main::explain)
        .execute(args);
  }

  private static int explain(Exception e, CommandLine command, CommandLine.ParseResult result) {
    PrintStream err = System.err;
    err.println("error: " + e.getMessage());
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      err.println("  because: " + cause.getMessage());
      // Errors inside a fork are suppressed exceptions.
      for (Throwable inner : cause.getSuppressed()) {
        err.println("    " + inner.getMessage());
      }
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Draws the HTML report. */
  @Command(
      name = "report",
      mixinStandardHelpOptions = true,
      description = "Renders results files as one self-contained HTML page.")
  public static void report(
      @Parameters(arity = "1..*", paramLabel = "RESULTS", description = "Results files, JSON.")
          List<Path> results,
      @Option(
              names = "--out",
              paramLabel = "FILE",
              defaultValue = "report.html",
              description = "The page (default: ${DEFAULT-VALUE}).")
          Path out,
      @Option(
              names = "--svg",
              paramLabel = "FILE",
              description = "Draws the ratios of the first file as an image instead of a page.")
          Path svg)
      throws IOException {
    if (svg == null) {
      Report.write(out, results);
    } else {
      RatioImage.write(svg, results.get(0));
    }
    System.out.println("report: " + (svg == null ? out : svg));
  }

  /** The command of the workloads. */
  @Command(
      name = "workload",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "NAME",
      description =
          "Experiments, most of them on a local cluster of real HDFS and HBase processes.",
      subcommands = {
        BlockCaches.class,
        BlockCacheLive.class,
        Compaction.class,
        HdfsCacheLive.class,
        HdfsCacheShift.class,
        PeCommand.class,
        Preads.class,
        ReaderLive.class,
        RegionMetrics.class,
        TierCases.class,
        Vecsum.class,
        VolumeChoice.class,
        YcsbCommand.class
      })
  static final class WorkloadCommand {}
}
