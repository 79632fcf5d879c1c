package org.fastpath.common.guard;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Holds the members and methods of one upstream class that a feature relies on. {@link Reliance}
 * explains the text form.
 */
public final class Use {
  /** A word after the name of a class. */
  public static final String PATCHED = "patched";

  public static final String EXTENDED = "extended";

  public static final String IMPLEMENTED = "implemented";
  public static final String OUTSIDE = "outside";
  public static final String CLASS = "class";
  public static final String INTERFACE = "interface";

  /** Stands for a digest where a verified version has no such method. */
  static final long ABSENT = 0;

  static final String REFLECTION = "reflection";
  private static final String KNOWN = "known";
  private static final String PACKAGE = "package";
  private static final int HEX = 16;

  private final Set<String> flags = new TreeSet<>();
  private final Map<String, String> methods = new TreeMap<>();
  private final Map<String, String> fields = new TreeMap<>();
  private final Map<String, Set<Long>> code = new TreeMap<>();
  private final Set<String> abstracts = new TreeSet<>();
  private final Set<String> files = new TreeSet<>();
  private final Set<Long> known = new TreeSet<>();

  Use() {}

  /** Adds a way in which the class is used. */
  public void flag(String flag) {
    flags.add(flag);
  }

  /**
   * Says that a member is used.
   *
   * @param key name, a space, descriptor
   * @param outside whether code of another package uses it
   */
  public void member(boolean field, String key, boolean outside) {
    (field ? fields : methods)
        .merge(key, outside ? OUTSIDE : PACKAGE, (one, other) -> one.equals(other) ? one : OUTSIDE);
  }

  /** Adds a field that is reached by reflection, with any access. */
  public void reflected(String key) {
    fields.putIfAbsent(key, REFLECTION);
  }

  /** Says that a method with this code was verified. */
  public void code(String key, long digest) {
    code.computeIfAbsent(key, absent -> new TreeSet<>()).add(digest);
  }

  /** Says that a version may lack the methods of a name. */
  void optional(String name) {
    methods.keySet().removeIf(key -> key.startsWith(name + ' '));
    code.forEach(
        (key, digests) -> {
          if (key.startsWith(name + ' ')) {
            digests.add(ABSENT);
          }
        });
  }

  /** Says that our classes implement an abstract method. */
  public void implemented(String key) {
    flag(IMPLEMENTED);
    abstracts.add(key);
  }

  boolean has(String flag) {
    return flags.contains(flag);
  }

  /**
   * Returns the methods or fields that are used, by name and descriptor. The value names the place
   * of use.
   */
  Map<String, String> members(boolean field) {
    return field ? fields : methods;
  }

  /** Returns the digests of the methods whose behaviour is relied on, by name and descriptor. */
  Map<String, Set<Long>> code() {
    return code;
  }

  Set<String> abstracts() {
    return abstracts;
  }

  /**
   * Returns the class files that decide whether all of these members exist: this class's and
   * others.
   */
  Set<String> files() {
    return files;
  }

  /** Says that everything is there if these are the class files. */
  void known(long fingerprint) {
    known.add(fingerprint);
  }

  /**
   * Returns whether the class files are those of a verified version, so that nothing must be
   * compared.
   */
  boolean isKnown(Classes classes) {
    return !known.isEmpty() && known.contains(classes.fingerprint(files));
  }

  void write(StringBuilder text) {
    flags.forEach(flag -> text.append(' ').append(flag));
    text.append('\n');
    methods.forEach((key, from) -> line(text, "method", key, from));
    fields.forEach((key, from) -> line(text, "field", key, from));
    code.forEach((key, digests) -> line(text, "code", key, hex(digests)));
    abstracts.forEach(key -> line(text, "abstract", key, PACKAGE));
    if (!known.isEmpty()) {
      line(text, KNOWN, String.join(" ", files), "= " + hex(known));
    }
  }

  private static void line(StringBuilder text, String kind, String key, String rest) {
    text.append(' ').append(kind).append(' ').append(key).append(' ').append(rest).append('\n');
  }

  private static String hex(Collection<Long> digests) {
    return digests.stream().map(Long::toHexString).collect(Collectors.joining(" "));
  }

  void readFlags(String[] words) {
    flags.addAll(Arrays.asList(words).subList(1, words.length));
  }

  /** Reads the words of a line: kind, name, descriptor, and more. */
  void readMember(String[] words) {
    if (words[0].equals(KNOWN)) {
      readKnown(words);
      return;
    }
    String key = words[1] + ' ' + words[2];
    switch (words[0]) {
      case "method" -> methods.put(key, words[3]);
      case "field" -> fields.put(key, words[3]);
      case "abstract" -> abstracts.add(key);
      case "code" -> {
        for (int word = 3; word < words.length; word++) {
          code(key, Long.parseUnsignedLong(words[word], HEX));
        }
      }
      default -> throw new IllegalArgumentException("a line of kind " + words[0]);
    }
  }

  private void readKnown(String[] words) {
    int equals = Arrays.asList(words).indexOf("=");
    files.addAll(Arrays.asList(words).subList(1, equals));
    for (int word = equals + 1; word < words.length; word++) {
      known.add(Long.parseUnsignedLong(words[word], HEX));
    }
  }
}
