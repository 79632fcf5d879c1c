package org.fastpath.bench.engine.published;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.engine.results.Results;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Writes the pages of published and measured figures. Like other writers of pages, it is among the
 * tests, because only committers run it.
 */
@Command(
    name = "results-pages",
    mixinStandardHelpOptions = true,
    description = "Writes docs/results: published figures beside those measured here.")
public final class ResultsPagesCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "RESULTS",
      description = "Results files whose figures replace older figures.")
  private List<Path> files = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data of the pages (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("docs/results/data");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory of the pages (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("docs/results");

  /** Runs the command line. */
  public static void main(String[] args) {
    String prefix = System.getProperty("fastpath.command", "");
    System.exit(
        new CommandLine(new ResultsPagesCommand())
            .setCommandName((prefix + " results-pages").trim())
            .execute(args));
  }

  @Override
  public Integer call() throws IOException {
    StoryPages pages = new StoryPages(data);
    for (Path file : files) {
      pages.refresh(Results.read(file));
    }
    pages.write(out);
    System.out.println("written: " + out);
    return CommandLine.ExitCode.OK;
  }
}
