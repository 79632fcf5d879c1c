package org.fastpath.tools.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation: its prose by sentences, its code and its links. */
record Page(Path file, String text) {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  static final Path DOCS = ROOT.resolve("docs");

  private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern CODE = Pattern.compile("`+([^`]*)`+");
  private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\]\\(([^)\\s]*)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<=(?:[\\p{Ll}0-9)\\]\"%]|\\p{L}\\p{Lu}|\\bE\\b)[.!?])\\s+");
  private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\|");
  private static final Pattern LIST_MARK = Pattern.compile("^\\s*(?:[-*]|\\d+\\.)\\s+");

  /** A fenced block: its language, empty for none, and its text. */
  record Fence(String language, String text) {}

  /** Returns all pages, those that programs write included. */
  static List<Page> all() throws IOException {
    List<Page> pages = new ArrayList<>();
    for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
      pages.add(read(ROOT.resolve(name)));
    }
    try (Stream<Path> files = Files.walk(DOCS)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
        pages.add(read(file));
      }
    }
    pages.sort(Comparator.comparing(Page::file));
    return pages;
  }

  /** Returns the pages that people write. */
  static List<Page> written() throws IOException {
    return all().stream().filter(page -> !page.generated()).toList();
  }

  static Page read(Path file) throws IOException {
    return new Page(file, Files.readString(file));
  }

  /** A page that a program writes says so. */
  boolean generated() {
    return text.contains("Written by `");
  }

  String name() {
    return ROOT.relativize(file).toString();
  }

  int words() {
    return (int)
        Stream.of(text.split("\\s+")).filter(word -> word.matches(".*[\\p{L}\\p{N}].*")).count();
  }

  List<Fence> fences() {
    return FENCE.matcher(text).results().map(m -> new Fence(m.group(1), m.group(2))).toList();
  }

  /** Code within a line. */
  List<String> code() {
    return CODE.matcher(withoutFences()).results().map(m -> m.group(1)).toList();
  }

  /** Returns the targets of links. */
  List<String> links() {
    return LINK.matcher(withoutFences()).results().map(m -> m.group(2)).toList();
  }

  /** Anchors as GitHub makes them from headings. */
  List<String> anchors() {
    return HEADING.matcher(withoutFences()).results().map(Page::anchor).toList();
  }

  private static String anchor(MatchResult heading) {
    return LINK.matcher(heading.group(1))
        .replaceAll("$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
        .replace(' ', '-');
  }

  /** Sentences of paragraphs, list items and cells; code is the word CODE. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    for (String line : plain().split("\n", -1)) {
      boolean begins = line.isBlank() || line.startsWith("#") || LIST_MARK.matcher(line).find();
      if (begins || line.startsWith("|")) {
        split(paragraph.toString(), sentences);
        paragraph.setLength(0);
      }
      if (line.startsWith("|")) {
        CELL.splitAsStream(line).forEach(cell -> split(cell, sentences));
      } else {
        paragraph.append(LIST_MARK.matcher(line).replaceFirst("")).append(' ');
      }
      if (line.startsWith("#")) {
        split(paragraph.toString(), sentences);
        paragraph.setLength(0);
      }
    }
    split(paragraph.toString(), sentences);
    return sentences;
  }

  private static void split(String text, List<String> sentences) {
    SENTENCE_END
        .splitAsStream(text.strip())
        .map(String::strip)
        .filter(sentence -> !sentence.isEmpty())
        .forEach(sentences::add);
  }

  private String plain() {
    String named = CODE.matcher(withoutFences()).replaceAll("CODE");
    return LINK.matcher(named).replaceAll("$1").replaceAll("\\*\\*", "");
  }

  private String withoutFences() {
    return FENCE.matcher(text).replaceAll("");
  }
}
