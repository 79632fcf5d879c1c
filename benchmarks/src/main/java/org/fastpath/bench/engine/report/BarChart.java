package org.fastpath.bench.engine.report;

import java.util.Locale;
import java.util.Map;
import org.fastpath.bench.engine.results.Measurement;

/** Draws horizontal bars as inline SVG, with labels on the bars and their ranges as whiskers. */
record BarChart(Figures figures, String unit, double max, double left) {
  private static final int WIDTH = 440;
  private static final int VALUE = 64;
  private static final double LETTER = 6.4;
  private static final int STEP = 22;
  private static final int BAR = 14;

  /** Draws a row on a scale from zero to {@code max}, which adjacent charts share. */
  static String figure(Figures figures, Figures.Row row, double max) {
    int letters = row.cells().keySet().stream().mapToInt(String::length).max().orElse(0);
    String unit = Scale.of(row.any()).unit();
    BarChart chart = new BarChart(figures, unit, max, 14 + LETTER * letters);
    int height = STEP * row.cells().size() + 4;
    StringBuilder svg = new StringBuilder(line(chart.left, 0, chart.left, height, "axis"));
    int y = 4;
    for (Map.Entry<String, Measurement> cell : row.cells().entrySet()) {
      svg.append(chart.bar(cell.getKey(), Scale.of(cell.getValue()), y));
      y += STEP;
    }
    String title = Labels.title(row.name());
    String params = Labels.line(row.params());
    String caption = (params.isEmpty() ? title : params) + ", " + unit;
    String label = title + " " + params + ", " + unit;
    return Html.tag(
        "figure",
        Html.tag("figcaption", Html.escape(caption))
            + Html.drawing("bars", WIDTH, height, label, svg.toString()));
  }

  private String bar(String column, Scale bar, double y) {
    double middle = y + BAR / 2;
    double low = x(bar.low());
    double end = x(bar.high());
    double width = Math.max(1, x(bar.value()) - left);
    String role = figures.role(column).name().toLowerCase(Locale.ROOT);
    String value = Numbers.format(bar.value());
    String range = Numbers.format(bar.low()) + " to " + Numbers.format(bar.high());
    String tip = column + ": " + Numbers.withUnit(bar.value(), unit) + ", rounds " + range;
    return "<g>"
        + Html.tag("title", Html.escape(tip))
        + text(left - 6, middle + 4, "label " + role, column)
        + Html.svg(
            "rect", "", "class", role, "x", left, "y", y, "width", width, "height", BAR, "rx", 2)
        + line(low, middle, end, middle, "whisker")
        + line(low, middle - 4, low, middle + 4, "whisker")
        + line(end, middle - 4, end, middle + 4, "whisker")
        + text(Math.max(end, x(bar.value())) + 6, middle + 4, "value", value)
        + "</g>\n";
  }

  private double x(double value) {
    return left + (max > 0 ? value / max * (WIDTH - left - VALUE) : 0);
  }

  private static String line(double x1, double y1, double x2, double y2, String cssClass) {
    return Html.svg("line", "", "class", cssClass, "x1", x1, "y1", y1, "x2", x2, "y2", y2);
  }

  private static String text(double x, double y, String cssClass, String text) {
    return Html.svg("text", Html.escape(text), "class", cssClass, "x", x, "y", y);
  }
}
