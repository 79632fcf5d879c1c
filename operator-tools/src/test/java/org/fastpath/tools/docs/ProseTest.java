package org.fastpath.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The measurable part of the style in CONTRIBUTING.md, on all pages that people write. */
class ProseTest {
  private static final int MAX_WORDS = 25;
  private static final int MAX_WORDS_OF_A_FEATURE = 900;
  private static final int MAX_WORDS_OF_ALL = 25_000;
  private static final int MAX_LINES_OF_README = 80;
  private static final int MIN_TEXTS = 100;
  private static final Pattern HELP = Pattern.compile("description\\s*=\\s*\\{?\\s*\"([^\"]*)\"");
  private static final Pattern LOG_LINE =
      Pattern.compile("LOG\\.(?:warn|error|info)\\(\\s*\"([^\"]*)\"");
  private static final Pattern METRIC =
      Pattern.compile("(?m)^\\| `\\w+` \\| (?:counter|gauge|histogram|label) \\| ([^|]*) \\|");

  private static final Pattern WORD = Pattern.compile("[^\\s/–-]*\\p{L}[^\\s/–-]*");
  private static final Pattern CITATION = Pattern.compile("\\*[^*]+\\*.*(?:19|20)\\d\\d");
  private static final String THINGS =
      "block|call|cache|client|daemon|device|disk|feature|file|job|mover|policy|process|reader"
          + "|request|scan|scanner|server|task|thread|volume|writer";
  private static final Pattern WHO =
      Pattern.compile("(?i)\\b(?:" + THINGS + ")s?,? who\\b|\\bwhoever\\b|^Who\\b[^?]*$");
  private static final Pattern WHAT =
      Pattern.compile("^What\\b[^?]*$|\\b(?:of|by|than|from|to|as|in|with|against) what\\b");
  private static final List<Pattern> PARTS =
      Stream.of(
              "\\*\\*When not to use it\\.\\*\\*",
              "(?m)^## (?:Put it in|Use it)$",
              "(?m)^## See that it works$",
              "(?m)^## Limits$",
              "(?m)^## Take it out$")
          .map(Pattern::compile)
          .toList();
  private static final Set<String> BANNED =
      Set.of(
          "anyhow",
          "as above",
          "as it is none",
          "be it",
          "for want of",
          "is none",
          "of late",
          "that are none",
          "thereof",
          "to be had",
          "what else",
          "whatever becomes");

  private static List<String> wrong(Predicate<String> rule) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Page page : Page.written()) {
      page.sentences().stream().filter(rule).forEach(s -> wrong.add(page.name() + ": " + s));
    }
    return wrong;
  }

  @Test
  void aSentenceHasAtMost25Words() throws IOException {
    assertThat(wrong(sentence -> words(sentence) > MAX_WORDS)).isEmpty();
  }

  /** Words of a sentence; 0 for a citation, and for a list of names in code. */
  private static long words(String sentence) {
    if (CITATION.matcher(sentence).find()) {
      return 0;
    }
    List<String> words = WORD.matcher(sentence).results().map(m -> m.group()).toList();
    long code = words.stream().filter(word -> word.contains("CODE")).count();
    return 2 * code >= words.size() ? 0 : words.size();
  }

  @Test
  void aThingIsNotAWho() throws IOException {
    assertThat(wrong(sentence -> WHO.matcher(sentence).find())).isEmpty();
  }

  @Test
  void whatIsNotANoun() throws IOException {
    assertThat(wrong(sentence -> WHAT.matcher(sentence).find())).isEmpty();
  }

  @Test
  void someWordsAreNotUsed() throws IOException {
    assertThat(wrong(ProseTest::banned)).isEmpty();
  }

  private static boolean banned(String sentence) {
    String words = " " + sentence.toLowerCase(Locale.ROOT).replaceAll("[,;:.]", "") + " ";
    return BANNED.stream().anyMatch(phrase -> words.contains(" " + phrase + " "));
  }

  private static boolean breaksARule(String sentence) {
    return words(sentence) > MAX_WORDS
        || WHO.matcher(sentence).find()
        || WHAT.matcher(sentence).find()
        || banned(sentence);
  }

  /** The help of commands and options. */
  @Test
  void helpOfCommandsKeepsToTheRules() throws IOException {
    assertThat(wrongInSources("import picocli.", HELP)).isEmpty();
  }

  /** Lines of the log, from warnings to news. */
  @Test
  void linesOfTheLogKeepToTheRules() throws IOException {
    assertThat(wrongInSources("LOG.", LOG_LINE)).isEmpty();
  }

  private static List<String> wrongInSources(String mark, Pattern texts) throws IOException {
    List<String> wrong = new ArrayList<>();
    int read = 0;
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      for (Path file : files.filter(ProseTest::source).toList()) {
        for (String text : texts(Files.readString(file), mark, texts)) {
          read++;
          new Page(file, text.replace("{}", "it"))
              .sentences().stream()
                  .filter(ProseTest::breaksARule)
                  .forEach(sentence -> wrong.add(file.getFileName() + ": " + sentence));
        }
      }
    }
    assertThat(read).isGreaterThan(MIN_TEXTS);
    return wrong;
  }

  private static boolean source(Path file) {
    return file.toString().endsWith(".java") && file.toString().contains("src/main/java/");
  }

  /** Returns the strings of a source that has the mark; lines of one string are put together. */
  private static List<String> texts(String source, String mark, Pattern texts) {
    return source.contains(mark)
        ? texts
            .matcher(source.replaceAll("\"\\s*\\+\\s*\"", ""))
            .results()
            .map(m -> m.group(1))
            .toList()
        : List.of();
  }

  @Test
  void descriptionsOfMetricsKeepToTheRules() throws IOException {
    List<String> texts =
        METRIC
            .matcher(Page.read(Page.DOCS.resolve("operate/metrics.md")).text())
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(texts).hasSizeGreaterThan(MIN_TEXTS);
    assertThat(texts.stream().filter(ProseTest::breaksARule)).isEmpty();
  }

  @Test
  void theRulesFindTheSentencesThatTheyAreFor() {
    assertThat(WHO.matcher("The thread who asks waits").find()).isTrue();
    assertThat(WHO.matcher("The user who made the request").find()).isFalse();
    assertThat(WHAT.matcher("What is read from disk is read as before.").find()).isTrue();
    assertThat(WHAT.matcher("What is the size?").find()).isFalse();
    assertThat(banned("The same, as above.")).isTrue();
    assertThat(words("one ".repeat(26))).isGreaterThan(MAX_WORDS);
    assertThat(words("CODE, CODE, CODE and CODE")).isZero();
  }

  @Test
  void aPageOfAFeatureIsShortAndHasItsParts() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Page page : features()) {
      if (page.words() > MAX_WORDS_OF_A_FEATURE) {
        wrong.add(page.name() + ": " + page.words() + " words");
      }
      PARTS.stream()
          .filter(part -> !part.matcher(page.text()).find())
          .forEach(part -> wrong.add(page.name() + ": " + part));
    }
    assertThat(wrong).isEmpty();
  }

  private static Stream<Page> written() throws IOException {
    return Page.written().stream();
  }

  private static List<Page> features() throws IOException {
    return written()
        .filter(page -> page.name().startsWith("docs/features/"))
        .filter(page -> !page.name().endsWith("README.md"))
        .toList();
  }

  /** Tables of keys, of tests and of measurements are looked up, not read. */
  private static final Set<String> TABLES =
      Set.of(
          "docs/design/hbase-upstream-tests.md",
          "docs/design/hdfs-upstream-tests.md",
          "docs/operate/configuration.md",
          "docs/results/hit-ratio.md",
          "docs/results/measurements.md");

  @Test
  void allPagesTogetherAreShort() throws IOException {
    assertThat(
            written()
                .filter(page -> page.name().startsWith("docs/") && !TABLES.contains(page.name()))
                .mapToInt(Page::words)
                .sum())
        .isLessThanOrEqualTo(MAX_WORDS_OF_ALL);
  }

  @Test
  void theReadmeHasTwoScreens() throws IOException {
    assertThat(Page.read(Page.ROOT.resolve("README.md")).text().lines().count())
        .isLessThanOrEqualTo(MAX_LINES_OF_README);
  }

  @Test
  void theGlossaryHasAtMostSixtyTerms() throws IOException {
    long terms =
        Page.read(Page.DOCS.resolve("glossary.md"))
            .text()
            .lines()
            .filter(line -> line.matches("\\| (?!term ).*\\|") && !line.startsWith("|--"))
            .count();
    assertThat(terms).isBetween(40L, 60L);
  }
}
