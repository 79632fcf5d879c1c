package org.fastpath.bench.engine.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.FlameGraph;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.bench.engine.results.Topic;

/**
 * Renders a section for each topic of a comparison. It has the settings, all slices of its rows,
 * flame graphs, and the lines that put the module in.
 *
 * @param files the directory of flame graphs
 * @param page the directory of the page, from which links to the documentation begin
 */
record Topics(Results results, Figures figures, Path files, Path page) {
  private static final String SLICES =
      "Each dot is a slice, the line is the median. The axis begins at 0.";

  String html() throws IOException {
    StringBuilder html = new StringBuilder();
    for (Topic topic : results.topics()) {
      html.append(
          Html.tag(
              "section",
              Html.tag("h2", Html.escape(topic.title()))
                  + Html.tag("p", Html.escape(topic.text()))
                  + settings(topic)
                  + strips(topic)
                  + FlameGraphs.html(graphs(topic), files)
                  + putIn(topic)));
    }
    return html.toString();
  }

  /** Returns the flame graphs that belong to no topic. */
  List<FlameGraph> otherGraphs() {
    List<FlameGraph> others = new ArrayList<>(results.flameGraphs());
    results.topics().forEach(topic -> others.removeAll(graphs(topic)));
    return others;
  }

  private List<FlameGraph> graphs(Topic topic) {
    return results.flameGraphs().stream().filter(graph -> topic.has(graph.title())).toList();
  }

  private static String settings(Topic topic) {
    StringBuilder html = new StringBuilder();
    topic
        .settings()
        .forEach(
            (side, lines) -> {
              String keys =
                  lines.stream()
                      .skip(1)
                      .map(line -> "<br/>" + Html.tag("code", Html.escape(line)).trim())
                      .collect(Collectors.joining());
              html.append(Html.tag("dt", Html.escape(side)));
              html.append(Html.tag("dd", Html.escape(lines.get(0)) + keys));
            });
    return html.isEmpty() ? "" : Html.tag("dl", "columns", html.toString());
  }

  private String strips(Topic topic) {
    String strips =
        figures
            .all()
            .filter(row -> topic.has(row.name()))
            .map(this::strip)
            .collect(Collectors.joining());
    return strips.isEmpty()
        ? ""
        : Html.tag("p", "note", SLICES) + Html.tag("div", "strips", strips);
  }

  /** Draws the values of all sides over a common axis. */
  private String strip(Figures.Row row) {
    double most = row.cells().values().stream().mapToDouble(Measurement::max).max().orElse(1);
    String ratios =
        figures.ratios(row).values().stream().map(Topics::verdict).collect(Collectors.joining());
    StringBuilder html =
        new StringBuilder(Html.tag("p", "row", Html.escape(row.name()) + " " + ratios));
    List<String> sides = new ArrayList<>(row.cells().keySet());
    Collections.reverse(sides);
    for (String side : sides) {
      boolean candidate = figures.role(side) == Figures.Role.CANDIDATE;
      html.append(lane(side, row.cells().get(side), most, candidate));
    }
    return Html.tag("div", html.toString());
  }

  private static String verdict(Comparison ratio) {
    String text = Numbers.ratio(ratio.ratio()) + ", " + ratio.verdict();
    return Html.tag("span", "verdict " + ratio.verdict(), text);
  }

  private static String lane(String side, Measurement measured, double most, boolean candidate) {
    StringBuilder dots = new StringBuilder();
    for (double value : measured.perRound()) {
      dots.append("<i" + at(value, most) + "></i>");
    }
    String median = "<b" + at(measured.median(), most) + "></b>";
    return Html.tag(
        "div",
        candidate ? "lane candidate" : "lane",
        Html.tag("span", Html.escape(side))
            + Html.tag("span", "plot", dots + median)
            + Html.tag(
                "span",
                "figure",
                Html.escape(Numbers.withUnit(measured.median(), measured.unit()))));
  }

  private static String at(double value, double most) {
    double percent = most == 0 ? 0 : 100 * value / most;
    return String.format(Locale.ROOT, " style=\"left:%.2f%%\"", percent);
  }

  private String putIn(Topic topic) {
    Path home = Path.of(System.getProperty("fastpath.home", "")).toAbsolutePath().normalize();
    String link = page.relativize(home.resolve(topic.page())).toString();
    return Html.tag("h3", "Put it in")
        + Html.tag("pre", Html.escape(topic.lines()))
        + Html.tag(
            "p",
            "The page of this module: <a href=\""
                + Html.escape(link)
                + "\">"
                + topic.page()
                + "</a>");
  }
}
