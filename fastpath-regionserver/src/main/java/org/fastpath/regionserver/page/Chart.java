package org.fastpath.regionserver.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Draws series of the last hour as inline SVG: as lines, or as areas on top of each other. The
 * colours are classes of the page's style, so that they follow its theme. Not thread-safe.
 */
final class Chart {
  /** Classes {@code s0} to {@code s6}, and {@code s7} for the rest. */
  static final int COLOURS = 8;

  /**
   * The lengths of the horizontal axis, in minutes. The chart uses the shortest one that contains
   * all values.
   */
  private static final int[] WINDOWS = {5, 15, 30, 60};

  private static final int WIDTH = 640;
  private static final int HEIGHT = 210;
  private static final int LEFT = 64;
  private static final int RIGHT = 12;
  private static final int TOP = 10;
  private static final int BOTTOM = 24;
  private static final int RIGHT_EDGE = WIDTH - RIGHT;
  private static final int LINES = 4;
  private static final int TIMES = 5;

  private final String title;
  private final boolean stacked;
  private final long[] times;
  private final long now;
  private final int minutes;
  private final List<Series> series = new ArrayList<>();

  /** A value for each time; NaN is a gap. */
  private record Series(String name, double[] values, int colour) {
    double last() {
      return values.length == 0 ? Double.NaN : values[values.length - 1];
    }
  }

  /**
   * Makes a chart without series.
   *
   * @param times of the values, by {@link System#currentTimeMillis}
   */
  Chart(String title, boolean stacked, long[] times, long now) {
    this.title = title;
    this.stacked = stacked;
    this.times = times;
    this.now = now;
    minutes = window(times.length == 0 ? 0 : now - times[0]);
  }

  private static int window(long millis) {
    for (int window : WINDOWS) {
      if (TimeUnit.MINUTES.toMillis(window) >= millis) {
        return window;
      }
    }
    return WINDOWS[WINDOWS.length - 1];
  }

  Chart add(String name, double[] values) {
    return add(name, values, series.size() % COLOURS);
  }

  Chart add(String name, double[] values, int colour) {
    series.add(new Series(name, values, colour));
    return this;
  }

  /** Returns the greatest drawn value, 0 if there is none. */
  double greatest() {
    return stacked
        ? IntStream.range(0, times.length).mapToDouble(this::sum).max().orElse(0)
        : series.stream()
            .flatMapToDouble(one -> Arrays.stream(one.values()))
            .filter(value -> !Double.isNaN(value))
            .max()
            .orElse(0);
  }

  private double sum(int time) {
    return series.stream().mapToDouble(one -> one.values()[time]).filter(v -> v > 0).sum();
  }

  /** Writes the chart with its legend. */
  void write(Html html, Scale scale) {
    html.markup("<figure><figcaption>").text(title).markup("</figcaption>");
    html.markup("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT)
        .text(title)
        .markup("\">");
    writeGrid(html, scale);
    writeTimes(html);
    if (stacked) {
      writeAreas(html, scale);
    } else {
      series.forEach(one -> writeLine(html, one, scale));
    }
    html.markup("</svg>");
    writeLegend(html, scale);
    html.markup("</figure>\n");
  }

  private static void writeGrid(Html html, Scale scale) {
    for (int i = 0; i <= LINES; i++) {
      double value = scale.top() * i / LINES;
      double y = y(value, scale);
      html.markup("<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, RIGHT_EDGE);
      html.markup("<text class=\"y\" x=\"%d\" y=\"%.1f\">", LEFT - 6, y + 4)
          .text(scale.label().apply(value))
          .markup("</text>");
    }
  }

  private void writeTimes(Html html) {
    for (int i = 0; i <= TIMES; i++) {
      double x = RIGHT_EDGE - (double) (RIGHT_EDGE - LEFT) * i / TIMES;
      html.markup("<text class=\"%s\" x=\"%.1f\" y=\"%d\">", i == 0 ? "y" : "x", x, HEIGHT - 6)
          .text(i == 0 ? "now" : minutes * i / TIMES + " min ago")
          .markup("</text>");
    }
  }

  /** Writes a path for each stretch without a gap. A stretch of one value is a dot. */
  private void writeLine(Html html, Series one, Scale scale) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < times.length; i++) {
      double value = one.values()[i];
      if (!Double.isNaN(value)) {
        path.append(drawing ? 'L' : 'M').append(point(i, value, scale));
        path.append(drawing ? "" : "h0");
      }
      drawing = !Double.isNaN(value);
    }
    html.markup("<path class=\"line s%d\" d=\"%s\">", one.colour(), path);
    html.markup("<title>").text(one.name()).markup("</title></path>");
  }

  private void writeAreas(Html html, Scale scale) {
    double[] floor = new double[times.length];
    for (Series one : series) {
      double[] ceiling = new double[times.length];
      StringBuilder path = new StringBuilder();
      for (int i = 0; i < times.length; i++) {
        ceiling[i] = floor[i] + Math.max(0, one.values()[i]);
        path.append(i == 0 ? 'M' : 'L').append(point(i, ceiling[i], scale));
      }
      for (int i = times.length - 1; i >= 0; i--) {
        path.append('L').append(point(i, floor[i], scale));
      }
      html.markup("<path class=\"area s%d\" d=\"%sZ\">", one.colour(), path);
      html.markup("<title>").text(one.name()).markup("</title></path>");
      floor = ceiling;
    }
  }

  private void writeLegend(Html html, Scale scale) {
    html.markup("<ul class=\"legend\">");
    for (Series one : series) {
      html.markup("<li><i class=\"s%d\"></i>", one.colour()).text(one.name());
      if (!Double.isNaN(one.last())) {
        html.markup(" <b>").text(scale.label().apply(one.last())).markup("</b>");
      }
      html.markup("</li>");
    }
    html.markup("</ul>");
  }

  private String point(int time, double value, Scale scale) {
    double window = TimeUnit.MINUTES.toMillis(minutes);
    double age = Math.min(1, Math.max(0, (now - times[time]) / window));
    double x = LEFT + (RIGHT_EDGE - LEFT) * (1 - age);
    return String.format(Locale.ROOT, "%.1f %.1f", x, y(value, scale));
  }

  private static double y(double value, Scale scale) {
    double part = Math.min(1, Math.max(0, value / scale.top()));
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - part);
  }
}
