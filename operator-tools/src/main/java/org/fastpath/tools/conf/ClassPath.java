package org.fastpath.tools.conf;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The jars and directories in which a process looks for classes, in order. */
public final class ClassPath {
  private final List<Path> entries;

  /**
   * A jar with its name and version.
   *
   * @param title {@code Implementation-Title} of its manifest, or empty
   * @param version {@code Implementation-Version} of its manifest, or empty
   */
  public record Jar(Path path, String title, String version) {}

  private ClassPath(List<Path> entries) {
    this.entries = List.copyOf(entries);
  }

  /**
   * Reads class paths as in {@code java -cp}, one behind the other. Entries may end with a star. In
   * names a question mark stands for any character, as Hadoop's scripts let the shell expand it.
   */
  public static ClassPath of(String... paths) throws IOException {
    Set<Path> entries = new LinkedHashSet<>();
    for (String path : paths) {
      for (String entry : path.split(File.pathSeparator)) {
        if (!entry.isBlank()) {
          for (Path match : matching(entry.trim())) {
            entries.addAll(expand(match.toString()));
          }
        }
      }
    }
    return new ClassPath(new ArrayList<>(entries));
  }

  /** Returns the paths that an entry stands for; the entry itself if there is none. */
  private static List<Path> matching(String entry) throws IOException {
    if (entry.indexOf('?') < 0) {
      return List.of(Path.of(entry));
    }
    List<Path> found = List.of(Path.of(entry.startsWith("/") ? "/" : ""));
    for (Path name : Path.of(entry)) {
      List<Path> next = new ArrayList<>();
      for (Path parent : found) {
        next.addAll(children(parent, name.toString()));
      }
      found = next;
    }
    return found.isEmpty() ? List.of(Path.of(entry)) : found;
  }

  private static List<Path> children(Path parent, String name) throws IOException {
    if (name.indexOf('?') < 0) {
      Path child = parent.resolve(name);
      return name.equals("*") || Files.exists(child) ? List.of(child) : List.of();
    }
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    String pattern = Pattern.quote(name).replace("?", "\\E.\\Q");
    try (Stream<Path> files = Files.list(parent)) {
      return files.filter(file -> file.getFileName().toString().matches(pattern)).sorted().toList();
    }
  }

  private static List<Path> expand(String entry) throws IOException {
    if (!entry.equals("*") && !entry.endsWith(File.separator + "*")) {
      return List.of(Path.of(entry));
    }
    Path directory = Path.of(entry.equals("*") ? "." : entry.substring(0, entry.length() - 2));
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(ClassPath::isJar).sorted().toList();
    }
  }

  private static boolean isJar(Path file) {
    return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".jar");
  }

  /** Returns all entries in order, those that do not exist included. */
  public List<Path> entries() {
    return entries;
  }

  /** Returns the entries that hold a class, in order. */
  public List<Path> holding(String className) {
    String resource = className.replace('.', '/') + ".class";
    return entries.stream().filter(entry -> holds(entry, resource)).toList();
  }

  private static boolean holds(Path entry, String resource) {
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(resource));
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return jar.getEntry(resource) != null;
    } catch (IOException e) {
      return false; // Java also skips a file that is no jar.
    }
  }

  /** Returns the jars whose manifest has one of those titles. */
  public List<Jar> titled(Collection<String> titles) {
    return entries.stream()
        .filter(ClassPath::isJar)
        .map(ClassPath::describe)
        .filter(jar -> titles.contains(jar.title()))
        .toList();
  }

  private static Jar describe(Path path) {
    try (JarFile jar = new JarFile(path.toFile())) {
      Manifest manifest = jar.getManifest();
      Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
      return new Jar(
          path,
          text(attributes, Attributes.Name.IMPLEMENTATION_TITLE),
          text(attributes, Attributes.Name.IMPLEMENTATION_VERSION));
    } catch (IOException e) {
      return new Jar(path, "", "");
    }
  }

  private static String text(Attributes attributes, Attributes.Name name) {
    String value = attributes.getValue(name);
    return value == null ? "" : value.trim();
  }
}
