package org.fastpath.bench.engine.report;

import java.util.List;
import java.util.Locale;

/** Draws horizontal bars as inline SVG, with labels on the bars and their ranges as whiskers. */
final class BarChart {
  private static final int WIDTH = 440;
  private static final int VALUE = 64;
  private static final double LETTER = 6.4;
  private static final int STEP = 22;
  private static final int BAR = 14;

  private final String unit;
  private final double max;
  private final double left;

  private BarChart(String unit, double max, List<Bar> bars) {
    this.unit = unit;
    this.max = max;
    this.left = 14 + LETTER * bars.stream().mapToInt(bar -> bar.label().length()).max().orElse(0);
  }

  /**
   * A bar.
   *
   * @param low lowest round
   * @param high highest round
   */
  record Bar(String label, Figures.Role role, double value, double low, double high) {}

  /** Draws the bars on a scale from zero to {@code max}, which adjacent charts share. */
  static String svg(String title, String unit, double max, List<Bar> bars) {
    BarChart chart = new BarChart(unit, max, bars);
    StringBuilder svg = new StringBuilder();
    int height = STEP * bars.size() + 4;
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg class=\"bars\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH,
            height,
            Html.escape(title + ", " + unit)));
    svg.append(line(chart.left, 0, chart.left, height, "axis"));
    for (int i = 0; i < bars.size(); i++) {
      svg.append(chart.bar(bars.get(i), i * STEP + 4));
    }
    return svg.append("</svg>\n").toString();
  }

  private String bar(Bar bar, int y) {
    int middle = y + BAR / 2;
    double end = x(bar.high());
    String role = bar.role().name().toLowerCase(Locale.ROOT);
    String tip =
        bar.label()
            + ": "
            + Numbers.withUnit(bar.value(), unit)
            + ", rounds "
            + Numbers.format(bar.low())
            + " to "
            + Numbers.format(bar.high());
    return "<g>"
        + Html.tag("title", Html.escape(tip))
        + text(left - 6, middle + 4, "label " + role, bar.label())
        + rect(left, y, x(bar.value()) - left, role)
        + line(x(bar.low()), middle, end, middle, "whisker")
        + line(x(bar.low()), middle - 4, x(bar.low()), middle + 4, "whisker")
        + line(end, middle - 4, end, middle + 4, "whisker")
        + text(Math.max(end, x(bar.value())) + 6, middle + 4, "value", Numbers.format(bar.value()))
        + "</g>\n";
  }

  private double x(double value) {
    return left + (max > 0 ? value / max * (WIDTH - left - VALUE) : 0);
  }

  private static String rect(double x, double y, double width, String role) {
    return String.format(
        Locale.ROOT,
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
        role,
        x,
        y,
        Math.max(1, width),
        BAR);
  }

  private static String line(double x1, double y1, double x2, double y2, String cssClass) {
    return String.format(
        Locale.ROOT,
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        cssClass,
        x1,
        y1,
        x2,
        y2);
  }

  private static String text(double x, double y, String cssClass, String text) {
    return String.format(
        Locale.ROOT,
        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
        cssClass,
        x,
        y,
        Html.escape(text));
  }
}
