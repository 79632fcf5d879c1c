package org.fastpath.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fastpath.bench.report.BlogNumbers;
import org.fastpath.bench.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the table of published and measured numbers. */
@Command(
    name = "blog-numbers",
    mixinStandardHelpOptions = true,
    description = "Writes published numbers beside those measured here, as Markdown.")
final class BlogNumbersCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "RESULTS", description = "Results files, JSON.")
  private List<Path> files;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The document (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("docs/results/blog-numbers.md");

  @Override
  public Integer call() throws IOException {
    List<Results> results = new ArrayList<>();
    for (Path file : files) {
      results.add(Results.read(file));
    }
    BlogNumbers.write(out, results);
    System.out.println("written: " + out);
    return 0;
  }
}
