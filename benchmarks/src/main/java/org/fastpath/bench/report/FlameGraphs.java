package org.fastpath.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.fastpath.bench.results.FlameGraph;

/**
 * Puts flame graphs into the page: each closed until it is wanted, large ones as links to the file
 * beside it.
 */
final class FlameGraphs {
  /** Beyond this the page itself would become slow to open. */
  private static final long LARGEST_EMBEDDED = 4L << 20;

  private FlameGraphs() {}

  /**
   * All flame graphs of one results file.
   *
   * @param base the directory of the results file, to which the names are relative
   */
  static String section(List<FlameGraph> graphs, Path base) throws IOException {
    StringBuilder html = new StringBuilder();
    for (FlameGraph graph : graphs) {
      html.append("<details class=\"flame\">\n")
          .append(Html.tag("summary", Html.escape(graph.title() + ", side " + graph.side())))
          .append(content(graph, base.resolve(graph.file())))
          .append("</details>\n");
    }
    return html.toString();
  }

  private static String content(FlameGraph graph, Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Html.tag("p", "The file " + Html.escape(graph.file()) + " is missing.");
    }
    if (Files.size(file) > LARGEST_EMBEDDED) {
      String link = Html.escape(graph.file());
      return Html.tag("p", "<a href=\"" + link + "\">" + link + "</a>");
    }
    return graph.file().endsWith(".svg") ? image(graph, file) : frame(graph, file);
  }

  private static String image(FlameGraph graph, Path file) throws IOException {
    return "<img alt=\""
        + Html.escape(graph.title())
        + "\" src=\"data:image/svg+xml;base64,"
        + Base64.getEncoder().encodeToString(Files.readAllBytes(file))
        + "\"/>\n";
  }

  /** In a frame of its own, so that the profiler's script and style touch nothing else. */
  private static String frame(FlameGraph graph, Path file) throws IOException {
    return "<iframe title=\""
        + Html.escape(graph.title())
        + "\" sandbox=\"allow-scripts\" srcdoc=\""
        + Html.escape(Files.readString(file, StandardCharsets.UTF_8))
        + "\"></iframe>\n";
  }
}
