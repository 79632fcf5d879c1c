package org.fastpath.bench.engine.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.bench.engine.published.StoryPage.Kind;
import org.fastpath.bench.engine.published.StoryPage.Row;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of results cover each published figure, are up to date, and do not repeat themselves.
 */
class StoryPagesTest {
  private static final Path RESULTS = Path.of("..", "docs", "results").toAbsolutePath().normalize();
  private static final StoryPages PAGES = new StoryPages(RESULTS.resolve("data"));
  private static final int MAX_REPEATS = 3;
  private static final Pattern SENTENCE = Pattern.compile("(?<=[.!?])\\s+|\\||\n");

  @Test
  void everyPublishedFigureHasARow() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Published story : PAGES.published()) {
      List<String> answered =
          PAGES.page(story.story()).rows().flatMap(row -> row.figures().stream()).toList();
      story.figures().stream()
          .filter(figure -> !answered.contains(figure.id()))
          .forEach(figure -> missing.add(story.story() + ": " + figure.what()));
    }
    assertThat(missing).as("published figures without a row").isEmpty();
  }

  @Test
  void rowsNameFiguresThatTheStoryHas() throws IOException {
    for (Published story : PAGES.published()) {
      assertThat(story.byId().keySet())
          .containsAll(
              PAGES.page(story.story()).rows().flatMap(row -> row.figures().stream()).toList());
    }
    assertThat(PAGES.published()).extracting(Published::story).containsAll(StoryPages.NAMES);
  }

  @Test
  void aRowHasAFigureOrTheReasonWhyNot() throws IOException {
    for (String name : StoryPages.NAMES) {
      StoryPage page = PAGES.page(name);
      assertThat(page.rows()).allSatisfy(row -> answered(page, row));
    }
  }

  private static void answered(StoryPage page, Row row) {
    boolean figure = row.here() != null || row.hereText() != null;
    boolean told = row.kind() == Kind.MEASURED || row.kind() == Kind.MODELLED;
    assertThat(figure).as(page.page() + ": " + row.what()).isEqualTo(told);
    if (row.kind() == Kind.NOT_POSSIBLE) {
      assertThat(row.note()).as("reason of: " + row.what()).isNotNull();
    }
    if (row.note() != null) {
      assertThat(page.notes()).containsKey(row.note());
    }
    if (row.here() != null) {
      assertThat(page.runs()).extracting(StoryPage.Run::id).contains(row.here().run());
    }
  }

  @Test
  void thePagesAreWrittenFromTheirData(@TempDir Path fresh) throws IOException {
    PAGES.write(fresh);
    for (String chart : List.of("overview.svg", "demo.svg")) {
      assertThat(RESULTS.resolve(chart)).hasSameTextualContentAs(fresh.resolve(chart));
    }
    for (String name : StoryPages.NAMES) {
      for (String kind : List.of(".md", ".svg")) {
        assertThat(RESULTS.resolve(name + kind))
            .as("run bin/fastpath results-pages")
            .hasSameTextualContentAs(fresh.resolve(name + kind));
      }
    }
  }

  @Test
  void noSentenceIsRepeatedMoreThanThreeTimes() throws IOException {
    Map<String, Long> counts;
    try (Stream<Path> files = Files.list(RESULTS)) {
      counts =
          files
              .filter(file -> file.toString().endsWith(".md"))
              .flatMap(StoryPagesTest::sentences)
              .collect(Collectors.groupingBy(sentence -> sentence, Collectors.counting()));
    }
    assertThat(counts.entrySet().stream().filter(entry -> entry.getValue() > MAX_REPEATS))
        .isEmpty();
  }

  /** Four words and a full stop make a sentence. */
  private static Stream<String> sentences(Path file) {
    try {
      return SENTENCE
          .splitAsStream(Files.readString(file))
          .map(String::strip)
          .filter(text -> text.endsWith(".") && text.split("\\s+").length > MAX_REPEATS);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aResultsFileReplacesTheFiguresThatItHas(@TempDir Path directory) throws IOException {
    for (Path file : List.copyOf(files(RESULTS.resolve("data")))) {
      Files.copy(file, directory.resolve(file.getFileName()));
    }
    Results.Builder results =
        Results.builder("compaction", Environment.here("a command", Map.of("HBase", "2.6")));
    for (double round : new double[] {1, 2, 3}) {
      results
          .round("compaction.cpu.user.seconds", Map.of(), "A", "s", 20 * round)
          .round("compaction.cpu.user.seconds", Map.of(), "C", "s", 16 * round);
    }
    StoryPages pages = new StoryPages(directory);

    pages.refresh(results.build());
    pages.write(directory);

    String markdown = Files.readString(directory.resolve("checksums.md"));
    assertThat(line(markdown, "user CPU of a major compaction, A"))
        .contains("| 40.0 s | 3: 20.0–60.0 | measured |");
    assertThat(line(markdown, "user CPU, A over C")).contains("| 1.25× |");
    assertThat(line(markdown, "share of CPU in checksums, A")).contains("| 10.7 % |");
    assertThat(markdown).contains("`a command`", "HBase 2.6");
    assertThat(directory.resolve("metrics.json"))
        .hasSameTextualContentAs(RESULTS.resolve("data/metrics.json"));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static String line(String markdown, String what) {
    return markdown.lines().filter(line -> line.startsWith("| " + what)).findFirst().orElseThrow();
  }

  @Test
  void aConclusionIsComparedWithItsBounds() throws IOException {
    StoryPage page = PAGES.page("tiers");
    Results.Builder results =
        Results.builder("tiers", Environment.here("a command", Map.of("HBase", "2.6")));
    Map<String, String> mixed = Map.of("case", "1T_SSD_HDD", "over", "1T_SSD");
    results.round("tiers.ratio.throughput", mixed, "ours", "×", 1.0);
    results.round("tiers.ratio.throughput", mixed, "stock-best", "×", 0.8);

    List<StoryPage.Finding> findings = Refresh.of(page, results.build()).findings();

    assertThat(findings.get(0).reproduced()).isEqualTo("yes");
    assertThat(findings.get(1).reproduced()).isEqualTo("no");
  }
}
