package org.fastpath.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.report.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws the HTML report. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Renders results files as one self-contained HTML page.")
final class ReportCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "RESULTS", description = "Results files, JSON.")
  private List<Path> results;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The page (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("report.html");

  @Override
  public Integer call() throws IOException {
    Report.write(out, results);
    System.out.println("report: " + out);
    return 0;
  }
}
