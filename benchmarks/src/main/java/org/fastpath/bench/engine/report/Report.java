package org.fastpath.bench.engine.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.bench.engine.results.Series;

/**
 * Writes one HTML page from results files. The page contains everything, also style and drawings.
 * It opens from disk and needs no network, today or in ten years.
 */
public final class Report {
  private static final String RATIO_NOTE =
      "Right of 1&#215; the candidate is better. The line is the interval of the ratio, which decides"
          + " the verdict: better, worse, or no difference found. Below five rounds there is none.";
  private static final String ALLOCATION_NOTE =
      "Bytes allocated on the heap per operation, median of the rounds.";

  private Report() {}

  /** Reads the results files and writes the page. */
  public static void write(Path out, List<Path> files) throws IOException {
    Path directory = Files.createDirectories(out.toAbsolutePath().normalize().getParent());
    Files.writeString(out, html(files, directory));
  }

  static String html(List<Path> files, Path directory) throws IOException {
    StringBuilder sections = new StringBuilder();
    List<String> titles = new ArrayList<>();
    for (Path file : files) {
      Results results = Results.read(file);
      titles.add(results.title());
      sections.append(section(results, file, directory));
    }
    String title = Html.escape("hbase-fastpath: " + String.join("; ", titles));
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        + "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        + Html.tag("title", title)
        + Html.tag("style", Html.resource("report.css"))
        + "</head>\n<body>\n"
        + Html.tag("header", "<p class=\"brand\">hbase-fastpath</p>")
        + Html.tag("main", sections.toString())
        + "</body>\n</html>\n";
  }

  private static String section(Results results, Path file, Path directory) throws IOException {
    Figures figures = new Figures(results);
    Tables tables = new Tables(figures);
    Path base = file.toAbsolutePath().getParent();
    Topics topics = new Topics(results, figures, base, directory);
    return Html.tag("h1", Html.escape(results.title()))
        + Html.tag("p", "lede", lede(results.environment()))
        + part("All ratios", RATIO_NOTE, RatioChart.of(figures).html())
        + topics.html()
        + part("Side by side", explanation(results), legend(figures, results) + tables.headline())
        + part("Lines", "", lines(results.series()))
        + part("Allocation", ALLOCATION_NOTE, tables.allocations())
        + part("Flame graphs", "", FlameGraphs.html(topics.otherGraphs(), base))
        + part("Environment", "", environment(results, file));
  }

  /** Returns a part of the page; empty if it has no content. */
  private static String part(String title, String note, String html) {
    if (html.isEmpty()) {
      return "";
    }
    String explained = note.isEmpty() ? "" : Html.tag("p", "note", note) + "\n";
    return Html.tag("section", Html.tag("h2", title) + explained + html);
  }

  private static String lede(Environment environment) {
    String date = environment.date().replace('T', ' ').replace("Z", " UTC");
    return Html.escape(String.join(" · ", date, environment.machine(), environment.versionsLine()));
  }

  private static String explanation(Results results) {
    if (results.candidate().isEmpty()) {
      return "Median of the rounds.";
    }
    return "A ratio says how many times better <b>"
        + Html.escape(results.candidate())
        + "</b> is than the side at the head of the column: above 1 it is better. Both sides ran in"
        + " each round, so the ratio is that of rounds; the small figures are its interval."
        + " Up to seven rounds it is their whole range, from eight on 99 % of all bootstrap draws."
        + " Below it the side&#8217;s own value, median of the rounds.";
  }

  private static String legend(Figures figures, Results results) {
    StringBuilder html = new StringBuilder();
    for (Map.Entry<String, String> described : results.descriptions().entrySet()) {
      String column = Labels.rival(described.getKey());
      if (figures.all().anyMatch(row -> row.cells().containsKey(column))) {
        html.append("<dt>" + Html.escape(column) + "</dt>");
        html.append(Html.tag("dd", Html.escape(described.getValue())));
      }
    }
    return html.isEmpty() ? "" : Html.tag("dl", "columns", html.toString());
  }

  private static String lines(List<Series> series) {
    return series.stream()
        .collect(Collectors.groupingBy(Series::name, LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(LineChart::figure)
        .collect(Collectors.joining());
  }

  private static String environment(Results results, Path file) {
    Environment environment = results.environment();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Date", environment.date());
    facts.put("CPU", environment.machine());
    facts.put("CPU flags", String.join(" ", environment.cpuFlags()));
    facts.put("Memory", Numbers.format(environment.memoryBytes() / 1e9) + " GB");
    facts.put("Kernel", environment.kernel());
    facts.put("JVM", environment.jdk());
    facts.putAll(environment.versions());
    facts.put("Raw samples", file.getFileName().toString());
    StringBuilder html = new StringBuilder("\n");
    facts.forEach(
        (name, fact) ->
            html.append(Html.tag("dt", Html.escape(name)) + Html.tag("dd", Html.escape(fact))));
    return Html.tag("dl", html.toString())
        + Html.tag("p", "note", "The command that repeats it:")
        + Html.tag("pre", Html.escape(environment.command()));
  }
}
