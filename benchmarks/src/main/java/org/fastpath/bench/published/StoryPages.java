package org.fastpath.bench.published;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.bench.published.StoryPage.Row;
import org.fastpath.bench.results.Results;

/** Reads the data of all pages, puts new results in, and writes data, pages and charts. */
public final class StoryPages {
  /** The pages, in the order of the stories. */
  public static final List<String> NAMES =
      List.of("checksums", "metrics", "off-heap-reads", "hdfs-caching", "tiers");

  private static final ObjectMapper JSON =
      JsonMapper.builder().serializationInclusion(JsonInclude.Include.NON_DEFAULT).build();

  private final Path data;

  /** Pages whose data lie in a directory. */
  public StoryPages(Path data) {
    this.data = data;
  }

  /** The figures of all stories. */
  public List<Published> published() throws IOException {
    return List.of(JSON.readValue(data.resolve("published.json").toFile(), Published[].class));
  }

  /** The data of a page. */
  public StoryPage page(String name) throws IOException {
    return JSON.readValue(file(name).toFile(), StoryPage.class);
  }

  /** Puts the figures of a results file into all pages that ask for them. */
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
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(indent);
    printer.indentArraysWith(indent);
    Files.writeString(file(page.page()), JSON.writer(printer).writeValueAsString(page) + "\n");
  }

  private Path file(String name) {
    return data.resolve(name + ".json");
  }

  /** Writes a page and its chart for each story. */
  public void write(Path out) throws IOException {
    List<Published> all = published();
    Files.createDirectories(out);
    for (String name : NAMES) {
      StoryPage page = page(name);
      Published published =
          all.stream().filter(story -> story.story().equals(name)).findFirst().orElseThrow();
      put(out.resolve(name + ".md"), Markdown.of(page, published));
      put(out.resolve(name + ".svg"), chart(page, published));
    }
    put(out.resolve("overview.svg"), overview());
  }

  /**
   * A bar of the overview.
   *
   * @param row the row of the page whose ratio it shows
   */
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

  private static void put(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
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
}
