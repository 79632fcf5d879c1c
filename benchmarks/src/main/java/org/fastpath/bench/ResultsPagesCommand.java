package org.fastpath.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.published.StoryPages;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the pages of published and measured figures. */
@Command(
    name = "results-pages",
    mixinStandardHelpOptions = true,
    description = "Writes docs/results: published figures beside those measured here.")
final class ResultsPagesCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "RESULTS",
      description = "Results files whose figures replace older ones.")
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

  @Override
  public Integer call() throws IOException {
    StoryPages pages = new StoryPages(data);
    for (Path file : files) {
      pages.refresh(Results.read(file));
    }
    pages.write(out);
    System.out.println("written: " + out);
    return 0;
  }
}
