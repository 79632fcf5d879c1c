package org.fastpath.bench.engine.report;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.fastpath.bench.engine.results.Series;

/** Draws lines over a common x, as inline SVG with a legend. Lines differ in colour and dashes. */
final class LineChart {
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 320;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 24;
  private static final int BOTTOM = 40;
  private static final int STYLES = 6;
  private static final int TICKS = 5;

  private final List<Series> lines;
  private final double xMin;
  private final double xMax;
  private final double yMax;

  private LineChart(List<Series> lines) {
    this.lines = lines;
    this.xMin = lines.stream().mapToDouble(line -> Collections.min(line.x())).min().orElse(0);
    this.xMax = lines.stream().mapToDouble(line -> Collections.max(line.x())).max().orElse(1);
    double top = lines.stream().mapToDouble(line -> Collections.max(line.y())).max().orElse(1);
    this.yMax = Math.ceil(top / step(top)) * step(top);
  }

  /** Returns one chart of series that share name and units. */
  static String figure(List<Series> lines) {
    LineChart chart = new LineChart(lines);
    Series first = lines.get(0);
    return "<figure class=\"wide\">\n"
        + Html.tag("figcaption", Html.escape(first.name()))
        + chart.svg(first)
        + chart.legend()
        + "</figure>\n";
  }

  private String svg(Series first) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg class=\"lines\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
            WIDTH,
            HEIGHT,
            Html.escape(first.name())));
    appendGrid(svg);
    svg.append(text(LEFT, 14, "start", first.unit()));
    svg.append(text(WIDTH - RIGHT, HEIGHT - 6, "end", first.xUnit()));
    for (int i = 0; i < lines.size(); i++) {
      svg.append(polyline(lines.get(i), i % STYLES));
    }
    return svg.append("</svg>\n").toString();
  }

  private void appendGrid(StringBuilder svg) {
    double yStep = step(yMax);
    for (int i = 0; i * yStep <= yMax * 1.0001; i++) {
      double y = y(i * yStep);
      svg.append(line(LEFT, y, WIDTH - RIGHT, y));
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
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < series.x().size(); i++) {
      points.append(
          String.format(Locale.ROOT, "%.1f,%.1f ", x(series.x().get(i)), y(series.y().get(i))));
    }
    return "<polyline class=\"line style"
        + style
        + "\" points=\""
        + points.toString().trim()
        + "\">"
        + Html.tag("title", Html.escape(series.variant())).trim()
        + "</polyline>\n";
  }

  private String legend() {
    StringBuilder legend = new StringBuilder("<p class=\"legend\">");
    for (int i = 0; i < lines.size(); i++) {
      legend
          .append(
              "<span><svg viewBox=\"0 0 28 10\" width=\"28\" height=\"10\" aria-hidden=\"true\">")
          .append(
              "<line class=\"line style" + i % STYLES + "\" x1=\"0\" y1=\"5\" x2=\"28\" y2=\"5\"/>")
          .append("</svg> ")
          .append(Html.escape(lines.get(i).variant()))
          .append("</span> ");
    }
    return legend.append("</p>\n").toString();
  }

  private static String line(double x1, double y1, double x2, double y2) {
    return String.format(
        Locale.ROOT,
        "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
        x1,
        y1,
        x2,
        y2);
  }

  private static String text(double x, double y, String anchor, String text) {
    return String.format(
        Locale.ROOT,
        "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
        x,
        y,
        anchor,
        Html.escape(text));
  }
}
