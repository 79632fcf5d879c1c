package org.fastpath.common.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Reads the description of one feature in the source tree: {@code src/main/guard/<feature>.relies}.
 *
 * <pre>
 * # A comment. The first version of a family is the one that the others complete.
 * versions hbase 2.6.4-hadoop3 2.6.5 2.6.6
 * versions hadoop 3.4.2 3.4.3
 * ours     org.fastpath.offheap.reader.*
 * method   org.apache.hadoop.hbase.regionserver.HStore#getScanner
 * methods  org.apache.hadoop.hbase.io.hfile.ChecksumUtil
 * field    org.apache.hadoop.hbase.regionserver.HRegionServer#blockCache
 * </pre>
 *
 * <ul>
 *   <li>{@code ours}: a class, or all classes of a package, whose references belong to the feature;
 *       {@code except}: a class whose references do not.
 *   <li>{@code method}: the behaviour of all methods of the name is relied on; {@code methods}: of
 *       all methods of the class.
 *   <li>{@code patched}: the same of a class that the jar replaces.
 *   <li>{@code optional}: a method that is called only by versions that have it.
 *   <li>{@code field}: a field that is reached by reflection.
 * </ul>
 */
final class RecordedFeature {
  private static final String SUFFIX = ".relies";
  private static final String ALL = "*";

  private final String name;
  private final Map<String, List<String>> versions = new TreeMap<>();
  private final List<String> ours = new ArrayList<>();
  private final List<String[]> optional = new ArrayList<>();
  private final List<String> patched = new ArrayList<>();
  private final List<String> others = new ArrayList<>();
  private final List<String[]> methods = new ArrayList<>();
  private final List<String[]> fields = new ArrayList<>();

  private RecordedFeature(String name) {
    this.name = name;
  }

  static RecordedFeature read(Path file) throws IOException {
    String base = file.getFileName().toString();
    RecordedFeature feature =
        new RecordedFeature(base.substring(0, base.length() - SUFFIX.length()));
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        feature.read(line.strip().split("\\s+"), file);
      }
    }
    return feature;
  }

  private void read(String[] words, Path file) {
    switch (words[0]) {
      case "versions" -> versions.put(words[1], List.of(words).subList(2, words.length));
      case "ours" -> ours.add(words[1].replace('.', '/'));
      case "except" -> others.add(words[1].replace('.', '/'));
      case "method" -> methods.add(member(words[1]));
      case "patched" -> {
        patched.add(words[1].replace('.', '/'));
        methods.add(new String[] {words[1].replace('.', '/'), ALL});
      }
      case "methods" -> methods.add(new String[] {words[1].replace('.', '/'), ALL});
      case "optional" -> optional.add(member(words[1]));
      case "field" -> fields.add(member(words[1]));
      default -> throw new IllegalArgumentException(file + ": a line of kind " + words[0]);
    }
  }

  private static String[] member(String text) {
    String[] parts = text.split("#");
    return new String[] {parts[0].replace('.', '/'), parts[1]};
  }

  static Predicate<Path> files() {
    return path -> path.toString().endsWith(SUFFIX);
  }

  String name() {
    return name;
  }

  /** Returns the verified versions of {@code hbase} or {@code hadoop}, the primary one first. */
  List<String> versions(String family) {
    return versions.getOrDefault(family, List.of());
  }

  /** Returns whether the references of one of our classes belong to the feature. */
  boolean owns(String className) {
    return ours.stream().anyMatch(pattern -> matches(pattern, className))
        && others.stream().noneMatch(pattern -> matches(pattern, className));
  }

  private static boolean matches(String pattern, String className) {
    if (pattern.endsWith("/**")) {
      return className.startsWith(pattern.substring(0, pattern.length() - 2));
    }
    if (pattern.endsWith("/" + ALL)) {
      String folder = pattern.substring(0, pattern.length() - 1);
      return className.startsWith(folder) && className.indexOf('/', folder.length()) < 0;
    }
    return className.equals(pattern) || className.startsWith(pattern + '$');
  }

  /** Pairs of a class and the name of a method, or {@code *}. */
  List<String[]> methods() {
    return methods;
  }

  /** Returns pairs of a class and the name of a method that our code can do without. */
  List<String[]> optional() {
    return optional;
  }

  List<String> patched() {
    return patched;
  }

  List<String[]> fields() {
    return fields;
  }
}
