package org.fastpath.bench.engine.published;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.bench.engine.published.StoryPage.Row;
import org.fastpath.bench.engine.report.Html;
import org.fastpath.bench.engine.report.Numbers;
import org.fastpath.bench.engine.report.RatioImage;
import org.fastpath.bench.engine.results.Results;

/** Reads the data of all pages, adds new results, and writes data, pages and charts. */
public final class StoryPages {
  /** The pages in the order of the stories. */
  public static final List<String> NAMES =
      List.of("checksums", "metrics", "off-heap-reads", "hdfs-caching", "tiers");

  static final ObjectMapper JSON =
      JsonMapper.builder().serializationInclusion(JsonInclude.Include.NON_DEFAULT).build();

  private final Path data;

  public StoryPages(Path data) {
    this.data = data;
  }

  public List<Published> published() throws IOException {
    return List.of(JSON.readValue(data.resolve("published.json").toFile(), Published[].class));
  }

  public StoryPage page(String name) throws IOException {
    return JSON.readValue(file(name).toFile(), StoryPage.class);
  }

  /** Copies the figures of a results file into all pages that query them. */
  public void refresh(Results results) throws IOException {
    for (String name : NAMES) {
      StoryPage page = page(name);
      StoryPage fresh = Refresh.of(page, results);
      if (!fresh.equals(page)) {
        store(fresh);
      }
    }
  }

  private void store(StoryPage page) throws IOException {
    DefaultIndenter indent = new DefaultIndenter(" ", "\n");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(indent).withArrayIndenter(indent);
    Files.writeString(file(page.page()), JSON.writer(printer).writeValueAsString(page) + "\n");
  }

  private Path file(String name) {
    return data.resolve(name + ".json");
  }

  /** Writes a page and its chart for each story, and the charts of the overview and the demo. */
  public void write(Path out) throws IOException {
    List<Published> all = published();
    Files.createDirectories(out);
    for (String name : NAMES) {
      StoryPage page = page(name);
      Published published =
          all.stream().filter(story -> story.story().equals(name)).findFirst().orElseThrow();
      Files.writeString(out.resolve(name + ".md"), Markdown.of(page, published));
      Files.writeString(out.resolve(name + ".svg"), chart(page, published));
    }
    Files.writeString(out.resolve("overview.svg"), overview());
    RatioImage.write(out.resolve("demo.svg"), file("demo"));
  }

  /** A bar of the overview, which shows the ratio of a row of a page. */
  record Bar(String page, String row, String label) {}

  private String overview() throws IOException {
    List<PairChart.Pair> pairs = new ArrayList<>();
    for (Bar bar : JSON.readValue(data.resolve("overview.json").toFile(), Bar[].class)) {
      Row row =
          page(bar.page())
              .rows()
              .filter(any -> any.what().equals(bar.row()))
              .findFirst()
              .orElseThrow();
      pairs.add(new PairChart.Pair(bar.label(), null, row.here().value()));
    }
    return PairChart.svg("times stock", pairs);
  }

  private static String chart(StoryPage page, Published published) {
    List<Row> rows = page.rows().filter(row -> row.chart() && row.here() != null).toList();
    List<PairChart.Pair> pairs = rows.stream().map(row -> pair(row, published)).toList();
    return PairChart.svg(rows.get(0).unit(), pairs);
  }

  private static PairChart.Pair pair(Row row, Published published) {
    Double value =
        row.figures().size() == 1 ? published.byId().get(row.figures().get(0)).value() : null;
    boolean stated = row.published() != null && row.published().endsWith("×");
    Double shown = stated ? Double.valueOf(row.published().replace("×", "")) : value;
    return new PairChart.Pair(row.what(), shown, row.here().value());
  }

  /** Draws pairs of bars, published above measured, as an SVG file that needs no style sheet. */
  static final class PairChart {
    private static final int WIDTH = 760;
    private static final int LEFT = 340;
    private static final int RIGHT = 90;
    private static final int STEP = 40;
    private static final int BAR = 14;
    private static final int TOP = 40;
    private static final String SVG =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\""
            + " font-family=\"sans-serif\" font-size=\"12\">";
    private static final String PUBLISHED = "#8a8f98";
    private static final String HERE = "#1f6feb";
    private static final String INK = "#24292f";

    private final double max;
    private final StringBuilder svg = new StringBuilder("\n");

    private PairChart(double max) {
      this.max = max;
    }

    /** A pair; {@code published} is null if the story has no such figure. */
    record Pair(String label, Double published, double here) {}

    static String svg(String unit, List<Pair> pairs) {
      PairChart chart =
          new PairChart(pairs.stream().mapToDouble(PairChart::largest).max().orElse(1));
      chart.add("rect", "", "width", "100%", "height", "100%", "fill", "#ffffff");
      chart.text(LEFT, 22, "start", HERE, "here, " + unit);
      if (pairs.stream().anyMatch(pair -> pair.published() != null)) {
        chart.text(LEFT + 150, 22, "start", PUBLISHED, "published, " + unit);
      }
      for (int i = 0; i < pairs.size(); i++) {
        chart.pair(pairs.get(i), TOP + i * STEP);
      }
      return String.format(SVG, WIDTH, TOP + STEP * pairs.size(), WIDTH) + chart.svg + "</svg>\n";
    }

    private static double largest(Pair pair) {
      return Math.max(pair.here(), pair.published() == null ? 0 : pair.published());
    }

    private void pair(Pair pair, int y) {
      text(LEFT - 8, y + BAR + 4, "end", INK, pair.label());
      if (pair.published() != null) {
        bar(y, PUBLISHED, pair.published());
      }
      bar(y + BAR + 2, HERE, pair.here());
    }

    private void bar(int y, String fill, double value) {
      double width = Math.max(1, value / max * (WIDTH - LEFT - RIGHT));
      add("rect", "", "x", LEFT, "y", y, "width", width, "height", BAR, "rx", 2, "fill", fill);
      text(LEFT + width + 6, y + BAR - 3, "start", INK, Numbers.format(value));
    }

    private void text(double x, double y, String anchor, String fill, String text) {
      add("text", Html.escape(text), "x", x, "y", y, "text-anchor", anchor, "fill", fill);
    }

    private void add(String name, String content, Object... attributes) {
      svg.append(Html.svg(name, content, attributes)).append('\n');
    }
  }
}
