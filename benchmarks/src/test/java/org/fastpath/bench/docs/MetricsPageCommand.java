package org.fastpath.bench.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.PublishedSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Writes the page of all metrics. It is not a command of {@link org.fastpath.bench.Main}, because
 * its class path begins with the modules' jars. The stock worlds must not have them.
 */
@Command(
    name = "metrics-page",
    mixinStandardHelpOptions = true,
    description = "Writes the page of all registered metrics, as Markdown.")
public final class MetricsPageCommand implements Callable<Integer> {
  private static final String COMMAND_NAME = "fastpath.command";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The document (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("docs/operate/metrics.md");

  /** Runs the command line. */
  public static void main(String[] args) {
    String prefix = System.getProperty(COMMAND_NAME, "");
    System.exit(
        new CommandLine(new MetricsPageCommand())
            .setCommandName((prefix + " metrics-page").trim())
            .execute(args));
  }

  @Override
  public Integer call() throws IOException {
    String page = MetricsPage.markdown(sections());
    if (!Metrics.errors().isEmpty()) {
      throw new IllegalStateException("metrics were refused: " + Metrics.errors());
    }
    Files.writeString(out, page);
    System.out.println("written: " + out);
    return CommandLine.ExitCode.OK;
  }

  /** Attributes the new sources after each registrant to it. */
  private static List<MetricsPage.Section> sections() {
    List<MetricsPage.Section> sections = new ArrayList<>();
    Set<PublishedSource> seen = new HashSet<>();
    for (Registrant registrant : Registrant.values()) {
      registrant.register();
      List<PublishedSource> sources =
          Metrics.sources().stream()
              .filter(seen::add)
              .sorted(Comparator.comparing(PublishedSource::name))
              .toList();
      if (sources.isEmpty()) {
        throw new IllegalStateException(registrant + " registers no source");
      }
      sections.add(new MetricsPage.Section(registrant.module(), registrant.places(), sources));
    }
    return sections;
  }
}
