package org.fastpath.bench.engine.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.fastpath.bench.engine.results.Comparison;

/**
 * Draws the candidate's ratios to all other variants as a forest plot. All are on one logarithmic
 * axis, with their intervals as lines. Rows are HTML, so a telephone can break them.
 *
 * @param low the left end of the axis; an interval that goes further is cut there
 * @param high the right end
 */
record RatioChart(List<Entry> entries, double low, double high) {
  private static final double[] TICKS = {0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20};

  /** A ratio with its label. */
  record Entry(String label, Comparison ratio) {}

  static RatioChart of(Figures figures) {
    List<Entry> entries = figures.all().flatMap(row -> entries(figures, row)).toList();
    double least = entries.stream().mapToDouble(entry -> entry.ratio.low()).min().orElse(1);
    double most = entries.stream().mapToDouble(entry -> entry.ratio.high()).max().orElse(1);
    return new RatioChart(
        entries, Math.max(0.1, Math.min(0.65, least)), Math.min(20, Math.max(1.6, most)));
  }

  private static Stream<Entry> entries(Figures figures, Figures.Row row) {
    Map<String, Comparison> ratios = figures.ratios(row);
    String label = Labels.title(row.name()) + " " + Labels.line(row.params());
    return ratios.entrySet().stream()
        .map(
            ratio ->
                new Entry(
                    ratios.size() == 1 ? label : label + " over " + ratio.getKey(),
                    ratio.getValue()));
  }

  /** Returns the chart; empty if there is nothing to compare. */
  String html() {
    String rows = entries.stream().map(this::row).collect(Collectors.joining());
    return rows.isEmpty() ? "" : Html.tag("div", "ratios", axis() + rows);
  }

  private String axis() {
    // On a telephone, there is no room for all ticks.
    List<Double> minor = List.of(0.7, 1.5, 3.0);
    String marks =
        ticks()
            .mapToObj(
                t -> mark(minor.contains(t) ? "tick minor" : "tick", t, t, Numbers.multiple(t)))
            .collect(Collectors.joining());
    return row("", "axis", marks, "");
  }

  DoubleStream ticks() {
    return DoubleStream.of(TICKS).filter(tick -> low <= tick && tick <= high);
  }

  private String row(Entry entry) {
    Comparison ratio = entry.ratio;
    String plot =
        mark("one", 1, 1, "")
            + mark("interval", ratio.low(), ratio.high(), "")
            + mark("point", ratio.ratio(), ratio.ratio(), "");
    String figure =
        Html.tag("b", Numbers.ratio(ratio.ratio()))
            + Html.tag("span", "spread", Numbers.interval(ratio));
    return row(entry.label, ratio.verdict(), plot, figure);
  }

  private static String row(String label, String cssClass, String plot, String figure) {
    return Html.tag(
        "div",
        "ratio " + cssClass,
        Html.tag("span", Html.escape(label))
            + Html.tag("span", "plot", plot)
            + Html.tag("span", "figure", figure));
  }

  private String mark(String cssClass, double from, double to, String text) {
    double left = 100 * place(from);
    String style =
        String.format(Locale.ROOT, "left:%.2f%%;width:%.2f%%", left, 100 * place(to) - left);
    return "<i class=\"" + cssClass + "\" style=\"" + style + "\">" + text + "</i>";
  }

  /** Returns the place of a ratio on the axis, from 0 to 1. */
  double place(double ratio) {
    double inside = Math.max(low, Math.min(high, ratio));
    return Math.log(inside / low) / Math.log(high / low);
  }
}
