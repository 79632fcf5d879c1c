package org.fastpath.bench.published;

import java.util.List;
import java.util.Locale;
import org.fastpath.bench.report.Numbers;

/** Draws pairs of bars, published above measured, as an SVG file that needs no style sheet. */
final class PairChart {
  private static final int WIDTH = 760;
  private static final int LEFT = 340;
  private static final int RIGHT = 90;
  private static final int STEP = 40;
  private static final int BAR = 14;
  private static final int TOP = 40;
  private static final String PUBLISHED = "#8a8f98";
  private static final String HERE = "#1f6feb";

  private final double max;
  private final StringBuilder svg = new StringBuilder();

  private PairChart(double max) {
    this.max = max;
  }

  /**
   * A pair.
   *
   * @param published null if the story has no such figure
   */
  record Pair(String label, Double published, double here) {}

  static String svg(String unit, List<Pair> pairs) {
    PairChart chart = new PairChart(pairs.stream().mapToDouble(PairChart::largest).max().orElse(1));
    int height = TOP + STEP * pairs.size();
    chart.svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " role=\"img\" font-family=\"sans-serif\" font-size=\"12\">%n<rect"
                + " width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
            WIDTH,
            height,
            WIDTH));
    chart.legend(unit, pairs.stream().anyMatch(pair -> pair.published() != null));
    for (int i = 0; i < pairs.size(); i++) {
      chart.pair(pairs.get(i), TOP + i * STEP);
    }
    return chart.svg.append("</svg>\n").toString();
  }

  private void legend(String unit, boolean published) {
    text(LEFT, 22, "start", HERE, "here, " + unit);
    if (published) {
      text(LEFT + 150, 22, "start", PUBLISHED, "published, " + unit);
    }
  }

  private static double largest(Pair pair) {
    return Math.max(pair.here(), pair.published() == null ? 0 : pair.published());
  }

  private void pair(Pair pair, int y) {
    text(LEFT - 8, y + BAR + 4, "end", "#24292f", pair.label());
    if (pair.published() != null) {
      bar(y, PUBLISHED, pair.published());
    }
    bar(y + BAR + 2, HERE, pair.here());
  }

  private void bar(int y, String color, double value) {
    double width = Math.max(1, value / max * (WIDTH - LEFT - RIGHT));
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n",
            LEFT,
            y,
            width,
            BAR,
            color));
    text(LEFT + width + 6, y + BAR - 3, "start", "#24292f", Numbers.format(value));
  }

  private void text(double x, double y, String anchor, String color, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            color,
            escaped));
  }
}
