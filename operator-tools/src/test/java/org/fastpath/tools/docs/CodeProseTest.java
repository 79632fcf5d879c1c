package org.fastpath.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The measurable part of the style in CONTRIBUTING.md, on comments and messages in the code. */
class CodeProseTest {
  private static final int MAX_WORDS = 25;
  private static final int MAX_LINES = 42;
  private static final int MIN_SOURCES = 700;

  private static final Pattern WORD = Pattern.compile("[^\\s/–-]*\\p{L}[^\\s/–-]*");
  private static final Pattern CITATION = Pattern.compile("(?:19|20)\\d\\d|JEP \\d");
  private static final String THINGS =
      "block|call|cache|client|daemon|device|disk|feature|file|gauge|job|mover|operation|policy"
          + "|process|reader|region|request|scan|scanner|server|store|task|thread|volume|writer";
  private static final Pattern WHO =
      Pattern.compile(
          "(?i)\\b(?:" + THINGS + ")s?,? who\\b|\\bwhoever\\b|\\b(?:those|nobody|somebody) who\\b");
  private static final Pattern BEGINS_WITHOUT_SUBJECT =
      Pattern.compile("^(?:What|Who|How (?:many|much|long|often|far))\\b[^?]*$");
  private static final Pattern WHAT =
      Pattern.compile("(?i)\\b(?:of|by|than|from|to|as|in|with|against|on|for) what\\b");
  private static final Pattern FRAGMENT =
      Pattern.compile("^For HBase\\.$|(?i)\\bin vain\\b|\\bof late\\b|\\bfor want of\\b");
  private static final Set<String> BANNED =
      Set.of(
          "anyhow",
          "as above",
          "at hand",
          "be it",
          "for nothing",
          "is none of",
          "more of the kind",
          "so to speak",
          "thereof",
          "to be had",
          "what else",
          "whatever becomes");
  private static final Pattern MESSAGE =
      Pattern.compile(
          "(?:LOG\\.(?:warn|error|info)|new \\w*(?:Exception|Error))\\(\\s*\"([^\"]*)\"");

  private record Source(Path file, String text) {
    String name() {
      return Page.ROOT.relativize(file).toString();
    }
  }

  private static List<Source> sources() throws IOException {
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      for (Path file : files.filter(CodeProseTest::isSource).sorted().toList()) {
        sources.add(new Source(file, Files.readString(file)));
      }
    }
    assertThat(sources.size()).isGreaterThan(MIN_SOURCES);
    return sources;
  }

  private static boolean isSource(Path file) {
    String name = Page.ROOT.relativize(file).toString();
    return name.matches("[\\w-]+/src/(?:main|test)/java/.*\\.java");
  }

  private static List<String> wrong(Function<String, List<String>> sentences) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Source source : sources()) {
      sentences.apply(source.text()).stream()
          .filter(CodeProseTest::breaksARule)
          .forEach(sentence -> wrong.add(source.name() + ": " + sentence));
    }
    return wrong;
  }

  private static boolean breaksARule(String sentence) {
    return words(sentence) > MAX_WORDS
        || Stream.of(WHO, WHAT, BEGINS_WITHOUT_SUBJECT, FRAGMENT)
            .anyMatch(rule -> rule.matcher(sentence).find())
        || isBanned(sentence);
  }

  /** Returns the number of words; 0 for a citation, and for a list of names in code. */
  private static long words(String sentence) {
    if (CITATION.matcher(sentence).find()) {
      return 0;
    }
    List<String> words = WORD.matcher(sentence).results().map(m -> m.group()).toList();
    long code = words.stream().filter(word -> word.contains("CODE")).count();
    return 2 * code >= words.size() ? 0 : words.size();
  }

  private static boolean isBanned(String sentence) {
    String words = " " + sentence.toLowerCase(Locale.ROOT).replaceAll("[,;:.]", "") + " ";
    return BANNED.stream().anyMatch(phrase -> words.contains(" " + phrase + " "));
  }

  @Test
  void commentsKeepToTheRules() throws IOException {
    assertThat(
            wrong(
                text ->
                    Comments.of(text).stream()
                        .flatMap(c -> Comments.sentences(c).stream())
                        .toList()))
        .isEmpty();
  }

  /** Lines of the log and messages of exceptions; the parts of a message are one sentence. */
  @Test
  void messagesKeepToTheRules() throws IOException {
    assertThat(
            wrong(
                text ->
                    MESSAGE
                        .matcher(text.replaceAll("\"\\s*\\+\\s*\"", ""))
                        .results()
                        .flatMap(m -> Stream.of(m.group(1).split("(?<=[.;:])\\s+")))
                        .toList()))
        .isEmpty();
  }

  @Test
  void anEssayIsAPageOfTheDesign() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Source source : sources()) {
      Comments.of(source.text()).stream()
          .map(comment -> comment.replaceAll("(?s)<pre>.*?</pre>", ""))
          .filter(comment -> comment.lines().count() > MAX_LINES)
          .forEach(comment -> wrong.add(source.name() + ": " + comment.lines().count()));
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void theRulesFindTheSentencesThatTheyAreFor() {
    assertThat(breaksARule("The thread who asks waits.")).isTrue();
    assertThat(breaksARule("Whoever evicts frees the block.")).isTrue();
    assertThat(breaksARule("What the kernel says of devices.")).isTrue();
    assertThat(breaksARule("How many blocks there are.")).isTrue();
    assertThat(breaksARule("Errors of late.")).isTrue();
    assertThat(breaksARule("{} is skipped; more of the kind are counted only")).isTrue();
    assertThat(breaksARule("word ".repeat(MAX_WORDS + 1))).isTrue();
    assertThat(breaksARule("Returns the number of blocks.")).isFalse();
  }

  @Test
  void commentsAreFoundOutsideOfLiteralsOnly() {
    List<String> comments =
        Comments.of("/** One {@code x}. Two. */ String s = \"// no\"; // Three\n  // lines.\n");
    assertThat(comments).hasSize(2);
    assertThat(Comments.sentences(comments.get(0))).containsExactly("One CODE.", "Two.");
    assertThat(Comments.sentences(comments.get(1))).containsExactly("Three lines.");
  }
}
