package org.fastpath.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Snippets parse, and the keys, commands, metrics and classes in pages exist. */
class SnippetsTest {
  private static final Pattern OUR_KEY =
      Pattern.compile("(?:hbase|dfs)\\.fastpath(?:\\.[A-Za-z0-9_-]+)+");
  private static final Pattern COMMAND = Pattern.compile("bin/fastpath ([a-z-]+)");
  private static final Pattern BRANCH = Pattern.compile("(?m)^  ([a-z-]+(?: \\| [a-z-]+)*)\\)");
  private static final Pattern METRIC =
      Pattern.compile("[a-z][A-Za-z0-9]{2,34}(?:Count|Bytes|Nanos|Millis)");
  private static final Pattern MESSAGE =
      Pattern.compile("(?=.*[a-z])[A-Za-z]['\\w-]*(?: [(]?[A-Za-z]['\\w-]*[,)]?){3,}(?: ?…)?");
  private static final Pattern OUR_CLASS =
      Pattern.compile("org\\.fastpath(?:\\.[a-z]+)+\\.[A-Z]\\w+");

  /** Metrics of HBase, one of an older version, and examples of a source that a reader writes. */
  private static final Set<String> OTHERS_METRICS =
      Set.of(
          "l1CacheHitCount",
          "l2CacheHitCount",
          "blockCacheHitCount",
          "fsChecksumFailureCount",
          "shareBytes",
          "hitCount",
          "sizeBytes");

  /** Mistakes that the doctor's page shows on purpose. */
  private static final Set<String> MISTAKES =
      Set.of(
          "hbase.fastpath.offheap-cache.siez",
          "hbase.fastpath.turbo",
          "org.fastpath.zcr.ZeroCopyFilesystm");

  @Test
  void xmlParsesAndItsKeysAreOnThePageOfKeys() throws Exception {
    Set<String> known = keys();
    List<String> unknown = new ArrayList<>();
    for (Page page : Page.all()) {
      for (Page.Fence fence : page.fences()) {
        if (fence.language().equals("xml")) {
          names(fence.text()).stream()
              .filter(name -> OUR_KEY.matcher(name).matches() && !documented(name, known))
              .forEach(name -> unknown.add(page.name() + ": " + name));
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  private static List<String> names(String xml)
      throws ParserConfigurationException, IOException, SAXException {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader("<all>" + xml + "</all>")));
    NodeList nodes = document.getElementsByTagName("name");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      names.add(nodes.item(i).getTextContent().strip());
    }
    return names;
  }

  @Test
  void keysInTextAreOnThePageOfKeys() throws IOException {
    Set<String> known = keys();
    Set<String> unknown = new TreeSet<>();
    for (Page page : Page.written()) {
      page.code().stream()
          .flatMap(code -> OUR_KEY.matcher(code).results().map(m -> m.group()))
          .filter(key -> !documented(key, known) && !MISTAKES.contains(key))
          .forEach(key -> unknown.add(page.name() + ": " + key));
    }
    assertThat(unknown).isEmpty();
  }

  /** A key, the beginning of keys, or a key with a name of the operator's in it. */
  private static boolean documented(String key, Set<String> known) {
    String general =
        key.replaceAll("storage-policy\\.[A-Z0-9_]+", "storage-policy.NAME")
            .replaceAll("(compression|encoding|block-size)\\.[A-Z0-9_]+", "$1.POLICY");
    return known.contains(general)
        || known.stream()
            .anyMatch(name -> name.startsWith(general + ".") || name.startsWith(general + "-"));
  }

  private static Set<String> keys() throws IOException {
    return Page.read(Page.DOCS.resolve("operate/configuration.md")).code().stream()
        .collect(Collectors.toSet());
  }

  @Test
  void commandsExist() throws IOException {
    String script = Files.readString(Page.ROOT.resolve("bin/fastpath"));
    Set<String> commands =
        BRANCH
            .matcher(script)
            .results()
            .flatMap(m -> Stream.of(m.group(1).split(" \\| ")))
            .collect(Collectors.toSet());
    List<String> unknown = new ArrayList<>();
    for (Page page : Page.all()) {
      COMMAND
          .matcher(page.text())
          .results()
          .map(m -> m.group(1))
          .filter(command -> !commands.contains(command))
          .forEach(command -> unknown.add(page.name() + ": " + command));
    }
    assertThat(commands).contains("install", "doctor", "demo");
    assertThat(unknown).isEmpty();
  }

  @Test
  void metricsInTextAreOnThePageOfMetrics() throws IOException {
    String metrics = Files.readString(Page.DOCS.resolve("operate/metrics.md"));
    List<String> unknown = new ArrayList<>();
    for (Page page : Page.written()) {
      page.code().stream()
          .filter(code -> METRIC.matcher(code).matches() && !OTHERS_METRICS.contains(code))
          .filter(code -> !metrics.contains("| `" + code + "` |"))
          .forEach(code -> unknown.add(page.name() + ": " + code));
    }
    assertThat(unknown).isEmpty();
  }

  /** Messages that a page quotes are in the code, so that an operator can search for them. */
  @Test
  void messagesInTextAreInTheCode() throws IOException {
    String code = messages();
    List<String> unknown = new ArrayList<>();
    for (Page page : Page.written()) {
      page.code().stream()
          .filter(text -> MESSAGE.matcher(text).matches())
          .filter(text -> !code.contains(beginning(text)))
          .forEach(text -> unknown.add(page.name() + ": " + text));
    }
    assertThat(unknown).isEmpty();
  }

  /** Three words: the code has a placeholder where the page has an example. */
  private static String beginning(String text) {
    return Stream.of(text.split(" ")).limit(3).collect(Collectors.joining(" "));
  }

  /** Returns all strings of the code, with those put together that stand on several lines. */
  private static String messages() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      for (Path file : files.filter(SnippetsTest::source).toList()) {
        all.append(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "")).append('\n');
      }
    }
    return all.toString();
  }

  private static boolean source(Path file) {
    String name = file.toString();
    return name.endsWith(".java") && name.contains("src/main/java/");
  }

  @Test
  void classesOfOursExist() throws IOException {
    Set<String> sources = sources();
    Set<String> unknown = new TreeSet<>();
    for (Page page : Page.all()) {
      OUR_CLASS
          .matcher(page.text())
          .results()
          .map(m -> m.group())
          .filter(name -> !sources.contains(name) && !MISTAKES.contains(name))
          .forEach(name -> unknown.add(page.name() + ": " + name));
    }
    assertThat(unknown).isEmpty();
  }

  private static Set<String> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      return files
          .map(file -> Page.ROOT.relativize(file).toString())
          .filter(file -> file.endsWith(".java") && file.contains("src/main/java/org/fastpath/"))
          .map(
              file ->
                  file.substring(file.indexOf("org/fastpath/"), file.length() - ".java".length()))
          .map(file -> file.replace('/', '.'))
          .collect(Collectors.toSet());
    }
  }
}
