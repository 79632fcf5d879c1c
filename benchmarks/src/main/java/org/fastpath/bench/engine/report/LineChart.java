package org.fastpath.bench.engine.report;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.fastpath.bench.engine.results.Series;

/** Draws lines over a common x, as inline SVG with a legend. Lines differ in colour and dashes. */
record LineChart(List<Series> lines, double xMin, double xMax, double yMax) {
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 320;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 24;
  private static final int BOTTOM = 40;
  private static final int STYLES = 6;
  private static final int TICKS = 5;

  /** Returns one chart of series that share name and units. */
  static String figure(List<Series> lines) {
    double xMin = lines.stream().mapToDouble(line -> Collections.min(line.x())).min().orElse(0);
    double xMax = lines.stream().mapToDouble(line -> Collections.max(line.x())).max().orElse(1);
    double top = lines.stream().mapToDouble(line -> Collections.max(line.y())).max().orElse(1);
    LineChart chart = new LineChart(lines, xMin, xMax, Math.ceil(top / step(top)) * step(top));
    Series first = lines.get(0);
    return "<figure class=\"wide\">\n"
        + Html.tag("figcaption", Html.escape(first.name()))
        + chart.svg(first)
        + chart.legend()
        + "</figure>\n";
  }

  private String svg(Series first) {
    StringBuilder svg = new StringBuilder();
    appendGrid(svg);
    svg.append(text(LEFT, 14, "start", first.unit()));
    svg.append(text(WIDTH - RIGHT, HEIGHT - 6, "end", first.xUnit()));
    for (int i = 0; i < lines.size(); i++) {
      svg.append(polyline(lines.get(i), i % STYLES));
    }
    return Html.drawing("lines", WIDTH, HEIGHT, first.name(), svg.toString());
  }

  private void appendGrid(StringBuilder svg) {
    double yStep = step(yMax);
    for (int i = 0; i * yStep <= yMax * 1.0001; i++) {
      double y = y(i * yStep);
      double right = WIDTH - RIGHT;
      svg.append(
          Html.svg(
              "line", "", "class", "grid", "x1", (double) LEFT, "y1", y, "x2", right, "y2", y));
      svg.append('\n');
      svg.append(text(LEFT - 6, y + 4, "end", tick(i * yStep)));
    }
    double xStep = step(xMax - xMin);
    for (double x = Math.ceil(xMin / xStep) * xStep; x <= xMax * 1.0001; x += xStep) {
      svg.append(text(x(x), HEIGHT - BOTTOM + 16, "middle", tick(x)));
    }
  }

  /** Returns 1, 2 or 5 times a power of ten, so that about {@link #TICKS} steps cover the range. */
  static double step(double range) {
    if (range <= 0) {
      return 1;
    }
    double raw = range / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double lead = raw / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
  }

  private static String tick(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : Numbers.format(value);
  }

  private double x(double x) {
    double range = xMax - xMin;
    return LEFT + (range > 0 ? (x - xMin) / range : 0) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double y) {
    return HEIGHT - BOTTOM - (yMax > 0 ? y / yMax : 0) * (HEIGHT - TOP - BOTTOM);
  }

  private String polyline(Series series, int style) {
    StringJoiner points = new StringJoiner(" ");
    for (int i = 0; i < series.x().size(); i++) {
      points.add(
          String.format(Locale.ROOT, "%.1f,%.1f", x(series.x().get(i)), y(series.y().get(i))));
    }
    String title = Html.tag("title", Html.escape(series.variant())).trim();
    return Html.svg("polyline", title, "class", "line style" + style, "points", points) + "\n";
  }

  private String legend() {
    StringBuilder legend = new StringBuilder("<p class=\"legend\">");
    for (int i = 0; i < lines.size(); i++) {
      legend.append(
          "<span><svg viewBox=\"0 0 28 10\" width=\"28\" height=\"10\" aria-hidden=\"true\">"
              + ("<line class=\"line style" + i % STYLES)
              + "\" x1=\"0\" y1=\"5\" x2=\"28\" y2=\"5\"/></svg> "
              + Html.escape(lines.get(i).variant())
              + "</span> ");
    }
    return legend.append("</p>\n").toString();
  }

  private static String text(double x, double y, String anchor, String text) {
    return Html.svg(
            "text", Html.escape(text), "class", "tick", "x", x, "y", y, "text-anchor", anchor)
        + "\n";
  }
}
