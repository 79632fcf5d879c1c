package org.fastpath.bench.engine.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.results.FlameGraph;

/** Embeds flame graphs; those of one title are side by side. */
final class FlameGraphs {
  /** The largest embedded flame graph in bytes; larger ones make the page slow to open. */
  private static final long LARGEST_EMBEDDED = 4L << 20;

  private FlameGraphs() {}

  /** Returns flame graphs, closed at first; their names are relative to the directory. */
  static String html(List<FlameGraph> graphs, Path directory) throws IOException {
    Map<String, List<FlameGraph>> titles =
        graphs.stream()
            .collect(
                Collectors.groupingBy(FlameGraph::title, LinkedHashMap::new, Collectors.toList()));
    StringBuilder html = new StringBuilder();
    for (Map.Entry<String, List<FlameGraph>> title : titles.entrySet()) {
      StringBuilder sides = new StringBuilder();
      for (FlameGraph graph : title.getValue()) {
        String drawn = flameGraph(graph, directory.resolve(graph.file()));
        sides.append(Html.tag("div", Html.tag("p", Html.escape(graph.variant())) + drawn));
      }
      String summary = Html.tag("summary", "Flame graphs: " + Html.escape(title.getKey()));
      html.append(Html.tag("details", "flame", summary + Html.tag("div", "sides", "" + sides)));
    }
    return html.toString();
  }

  /** Returns an image, or a frame, so the profiler's script and style do not affect the page. */
  private static String flameGraph(FlameGraph graph, Path file) throws IOException {
    String name = Html.escape(graph.file());
    if (!Files.isRegularFile(file)) {
      return Html.tag("p", "The file " + name + " is missing.");
    }
    if (Files.size(file) > LARGEST_EMBEDDED) {
      return Html.tag("p", "<a href=\"" + name + "\">" + name + "</a>");
    }
    String title = Html.escape(graph.title() + ", " + graph.variant());
    if (graph.file().endsWith(".svg")) {
      String image = Base64.getEncoder().encodeToString(Files.readAllBytes(file));
      return "<img alt=\"" + title + "\" src=\"data:image/svg+xml;base64," + image + "\"/>\n";
    }
    String page = Html.escape(Files.readString(file));
    return "<iframe title=\""
        + title
        + "\" sandbox=\"allow-scripts\" srcdoc=\""
        + page
        + "\"></iframe>\n";
  }
}
