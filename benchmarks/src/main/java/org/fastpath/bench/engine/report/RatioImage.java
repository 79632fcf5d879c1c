package org.fastpath.bench.engine.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;

/**
 * Draws all ratios of a results file as one SVG file, for a README. It contains its style, also
 * that of a dark page, and the date, the machine and the versions.
 */
public final class RatioImage {
  private static final int WIDTH = 860;
  private static final int LEFT = 284;
  private static final int RIGHT = 700;
  private static final int TOP = 76;
  private static final int STEP = 22;
  private static final String CIRCLE = "M%.1f %dm-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z";
  private static final String DIAMOND = "M%.1f %dm-6 0l6 -6l6 6l-6 6z";

  private final RatioChart chart;
  private final StringBuilder svg = new StringBuilder();

  private RatioImage(RatioChart chart) {
    this.chart = chart;
  }

  /** Reads a results file and draws it. */
  public static void write(Path out, Path file) throws IOException {
    Files.createDirectories(out.toAbsolutePath().getParent());
    Files.writeString(out, svg(Results.read(file)));
  }

  static String svg(Results results) throws IOException {
    RatioImage image = new RatioImage(RatioChart.of(new Figures(results)));
    return image.draw(results);
  }

  private String draw(Results results) throws IOException {
    Environment environment = results.environment();
    String note =
        "Right of 1× " + results.candidate() + " is better. The line is the interval that";
    text("title", 16, 28, "start", results.title());
    text("soft", 16, 48, "start", note + " decides: ● better, ○ no difference found, ◆ worse.");
    int bottom = TOP + STEP * chart.entries().size();
    chart.ticks().forEach(tick -> tick(tick, bottom));
    for (int i = 0; i < chart.entries().size(); i++) {
      row(chart.entries().get(i), TOP + STEP * i + STEP / 2);
    }
    String when = environment.date().replaceFirst("T.*", "") + " · " + environment.machine();
    text("soft", 16, bottom + 22, "start", when);
    text("soft", 16, bottom + 40, "start", environment.versionsLine());
    String box = " viewBox=\"0 0 %d %d\" width=\"%d\"".formatted(WIDTH, bottom + 52, WIDTH);
    String label = " role=\"img\" aria-label=\"" + Html.escape(results.title()) + "\"";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\""
        + (box + label + ">\n")
        + Html.tag("style", Html.resource("ratios.css"))
        + Html.svg("rect", "", "class", "page", "width", "100%", "height", "100%")
        + svg
        + "\n</svg>\n";
  }

  private void tick(double ratio, int bottom) {
    path(ratio == 1 ? "one" : "grid", "M%.1f %dV%d", x(ratio), TOP, bottom);
    text("soft", x(ratio), TOP - 8, "middle", Numbers.multiple(ratio));
  }

  private void row(RatioChart.Entry entry, int y) {
    Comparison ratio = entry.ratio();
    String verdict = ratio.verdict();
    text("label", LEFT - 14, y + 4, "end", entry.label().strip());
    double from = x(ratio.low());
    path("interval " + verdict, "M%.1f %dH%.1f", from, y, Math.max(from + 1, x(ratio.high())));
    path("mark " + verdict, verdict.equals("worse") ? DIAMOND : CIRCLE, x(ratio.ratio()), y);
    text(verdict, RIGHT + 14, y + 4, "start", Numbers.ratio(ratio.ratio()));
    text("soft", WIDTH - 16, y + 4, "end", Numbers.interval(ratio));
  }

  private double x(double ratio) {
    return LEFT + chart.place(ratio) * (RIGHT - LEFT);
  }

  private void text(String cssClass, double x, int y, String anchor, String text) {
    add("text", Html.escape(text), "class", cssClass, "x", x, "y", y, "text-anchor", anchor);
  }

  private void path(String cssClass, String format, Object... numbers) {
    add("path", "", "class", cssClass, "d", String.format(Locale.ROOT, format, numbers));
  }

  private void add(String name, String content, Object... attributes) {
    svg.append('\n').append(Html.svg(name, content, attributes));
  }
}
