package org.fastpath.bench.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.FlameGraph;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.bench.engine.results.Series;
import org.fastpath.bench.engine.results.Topic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {
  private static final String VERIFY = "checksum.DataChecksumBenchmark.verify";
  private static final String RIVAL = "checksum.JdkChunksBenchmark.update";
  private static final Map<String, String> PARAMS =
      Map.of("algorithm", "CRC32C", "chunk", "512", "size", "65536");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void writeResults() throws IOException {
    file = directory.resolve("results.json");
    Files.writeString(directory.resolve("flame.html"), "<p>frames &amp; <b>\"more\"</b></p>");
    Files.writeString(directory.resolve("flame.svg"), "<svg/>");
    sample().write(file);
  }

  private static Results sample() {
    Environment here =
        Environment.here("java -jar it.jar <pattern> & more", Map.of("HBase", "2.6"));
    Results.Builder results =
        Results.builder("Checksums <and> \"more\" & so on", here)
            .candidate("ours-auto")
            .describe("stock-native", "stock, libhadoop loaded")
            .rivals(VERIFY, List.of(RIVAL));
    for (int round = 0; round < 5; round++) {
      results
          .round(VERIFY, PARAMS, "stock-native", "ns/op", 65536 / 10.0)
          .round(VERIFY, PARAMS, "ours-auto", "ns/op", 65536 / 40.0)
          .round(VERIFY, PARAMS, "ours-jdk", "ns/op", 65536 / 39.0)
          .round(RIVAL, PARAMS, "jdk", "ns/op", 65536 / 50.0)
          .round(VERIFY, PARAMS, "stock-native", "B/op", 4321)
          .round(VERIFY, PARAMS, "ours-auto", "B/op", 0.02)
          .round("compaction.cpu.user.seconds", Map.of(), "stock-native", "s", 30)
          .round("compaction.cpu.user.seconds", Map.of(), "ours-auto", "s", 20);
    }
    return results
        .series(
            new Series("CPU", "A", "s", "cores", List.of(0.0, 1.0, 2.0), List.of(0.0, 2.0, 1.0)))
        .series(new Series("CPU", "D", "s", "cores", List.of(0.0), List.of(0.0)))
        .flameGraph(new FlameGraph("compaction", "A", "flame.html"))
        .flameGraph(new FlameGraph("compaction", "D", "flame.svg"))
        .flameGraph(new FlameGraph("compaction", "B", "gone.html"))
        .topic(
            new Topic(
                "Compactions & more",
                "It rewrites files.",
                List.of("compaction.cpu.user.seconds"),
                Map.of("ours-auto", List.of("Ours.", "key = <1>")),
                "<property/>",
                "docs/features/checksums.md"))
        .build();
  }

  private String html() throws IOException {
    return Report.html(List.of(file), directory);
  }

  private static Document parsed(String html) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void pageIsWellFormed() throws Exception {
    Document page = parsed(html());

    assertThat(page.getElementsByTagName("h1").item(0).getTextContent())
        .isEqualTo("Checksums <and> \"more\" & so on");
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
  }

  @Test
  void nothingIsLoadedFromElsewhere() throws Exception {
    String html = html();
    NodeList all = parsed(html).getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      for (String attribute : List.of("src", "href", "data", "xlink:href")) {
        var node = all.item(i).getAttributes().getNamedItem(attribute);
        if (all.item(i).getNodeName().equals("a")) {
          continue;
        }
        assertThat(node == null || node.getNodeValue().startsWith("data:"))
            .as("%s of %s", attribute, all.item(i).getNodeName())
            .isTrue();
      }
    }
    assertThat(html).doesNotContain("http:", "https:", "@import", "url(");
  }

  @Test
  void candidateStandsBesideVariantsAndRivalsWithRatios() throws IOException {
    assertThat(html())
        .contains("40.0 GB/s", "10.0 GB/s", "4.00×", "50.0 GB/s", "0.80×", "1.50×")
        .contains("DataChecksum.verify", "JdkChunks", "compaction.cpu.user.seconds")
        .contains("stock, libhadoop loaded");
  }

  @Test
  void allocationAndSeriesAreDrawn() throws Exception {
    String html = html();

    assertThat(parsed(html).getElementsByTagName("polyline").getLength()).isEqualTo(2);
    assertThat(html).contains("4,321");
  }

  @Test
  void chartShowsEachRatioWithItsVerdict() throws Exception {
    NodeList all = parsed(html()).getElementsByTagName("div");
    List<String> rows =
        IntStream.range(0, all.getLength())
            .mapToObj(i -> (Element) all.item(i))
            .filter(div -> div.getAttribute("class").startsWith("ratio "))
            .map(div -> div.getAttribute("class") + ": " + div.getTextContent().strip())
            .map(row -> row.replaceAll("\\s+", " "))
            .toList();

    // The other variants of the candidate have no row.
    assertThat(rows).hasSize(4);
    assertThat(rows.get(0)).startsWith("ratio axis: ").contains("0.7×1×1.5×");
    assertThat(rows.get(1))
        .startsWith("ratio better: DataChecksum.verify")
        .contains("over stock-native", "4.00×");
    assertThat(rows.get(2)).startsWith("ratio worse: ").contains("over JdkChunks", "0.80×");
    assertThat(rows.get(3)).isEqualTo("ratio better: compaction.cpu.user.seconds 1.50× 1.50–1.50");
  }

  @Test
  void aTopicHasItsSettingsSlicesAndLines() throws Exception {
    Element section = section("Compactions & more");

    assertThat(section.getTextContent())
        .contains("It rewrites files.", "Ours.", "key = <1>", "<property/>")
        .contains("compaction.cpu.user.seconds 1.50×, better", "30.0 s", "20.0 s");
    // Both sides have five slices; the largest value is at the end of the axis.
    List<Element> dots = elements(section, "i");
    assertThat(dots)
        .extracting(dot -> dot.getAttribute("style"))
        .filteredOn("left:100.00%"::equals)
        .hasSize(5);
    assertThat(dots)
        .extracting(dot -> dot.getAttribute("style"))
        .filteredOn("left:66.67%"::equals)
        .hasSize(5);
    assertThat(elements(section, "a").get(0).getAttribute("href"))
        .endsWith("docs/features/checksums.md");
    Path link = directory.resolve(elements(section, "a").get(0).getAttribute("href"));
    assertThat(link.normalize()).isEqualTo(Path.of("docs/features/checksums.md").toAbsolutePath());
  }

  @Test
  void flameGraphsOfATopicAreInItsSectionSideBySide() throws Exception {
    Results.builder("demo", Environment.here("command", Map.of()))
        .flameGraph(new FlameGraph("get: CPU", "stock", "flame.html"))
        .flameGraph(new FlameGraph("get: CPU", "ours", "flame.html"))
        .flameGraph(new FlameGraph("put: CPU", "ours", "flame.svg"))
        .topic(new Topic("Reads", "", List.of("get"), Map.of(), "", "docs/a.md"))
        .build()
        .write(file);

    Element reads = section("Reads");
    assertThat(elements(reads, "details")).hasSize(1);
    assertThat(elements(reads, "iframe"))
        .extracting(frame -> frame.getAttribute("title"))
        .containsExactly("get: CPU, stock", "get: CPU, ours");
    assertThat(elements(section("Flame graphs"), "img")).hasSize(1);
  }

  private Element section(String title) throws Exception {
    return elements(parsed(html()).getDocumentElement(), "section").stream()
        .filter(section -> elements(section, "h2").get(0).getTextContent().strip().equals(title))
        .findAny()
        .orElseThrow();
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  @Test
  void theImageHasAllRatiosAndTellsTheMachine() throws Exception {
    Path image = directory.resolve("new/ratios.svg");
    RatioImage.write(image, file);
    Element svg = parsed(Files.readString(image)).getDocumentElement();

    assertThat(svg.getTextContent())
        .contains("Checksums <and> \"more\" & so on", "HBase 2.6", "prefers-color-scheme: dark")
        .contains(Environment.here("", Map.of()).machine())
        .contains("over stock-native", "4.00×", "over JdkChunks", "0.80×", "1.50–1.50");
    assertThat(elements(svg, "path"))
        .extracting(path -> path.getAttribute("class"))
        .filteredOn(kind -> kind.startsWith("mark"))
        .containsExactly("mark better", "mark worse", "mark better");
    assertThat(Files.readString(image)).doesNotContain("url(", "@import", "href");
  }

  @Test
  void flameGraphsAreInsideThePage() throws Exception {
    Document page = parsed(html());

    assertThat(page.getElementsByTagName("iframe").item(0).getAttributes().getNamedItem("srcdoc"))
        .extracting(Object::toString)
        .asString()
        .contains("<p>frames &amp; <b>");
    assertThat(page.getElementsByTagName("img").getLength()).isEqualTo(1);
    assertThat(html()).contains("The file gone.html is missing.");
  }

  @Test
  void environmentAndCommandAreThere() throws IOException {
    assertThat(html()).contains("java -jar it.jar &lt;pattern&gt; &amp; more", "<dt>JVM</dt>");
  }

  @Test
  void severalFilesMakeOnePage() throws Exception {
    Path page = directory.resolve("new/report.html");

    Report.write(page, List.of(file, file));

    assertThat(parsed(Files.readString(page)).getElementsByTagName("h1").getLength()).isEqualTo(2);
  }

  @Test
  void resultsWithoutCandidateShowTheirValues() throws Exception {
    Environment here = Environment.here("command", Map.of());
    Results.builder("one side", here)
        .round("reads", Map.of(), "A", "rows/s", 7)
        .build()
        .write(file);

    assertThat(html()).contains("7.00 rows/s").doesNotContain("×</b>");
    parsed(html());
  }
}
