package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Knows the class files that a feature was verified with, by their CRCs.
 *
 * <p>A start compares these first. If they are those of a verified version, which is the usual
 * case, no class file has to be read. The text form is a line with a fingerprint for each version,
 * and then the name of one class a line.
 */
public final class KnownFiles {
  private static final int HEX = 16;

  private final Set<Long> fingerprints = new HashSet<>();
  private final List<String> names;

  KnownFiles(Collection<String> names) {
    this.names = new ArrayList<>(names);
  }

  /** Says that the feature was verified with these class files. */
  void add(Classes classes) {
    fingerprints.add(classes.fingerprint(names));
  }

  /** Returns whether the class files are those of a verified version. */
  public boolean has(ClassSource source) {
    return has(new Classes(source));
  }

  boolean has(Classes classes) {
    return !fingerprints.isEmpty() && fingerprints.contains(classes.fingerprint(names));
  }

  int count() {
    return names.size();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    new TreeSet<>(fingerprints).forEach(each -> text.append(Long.toHexString(each)).append(' '));
    names.forEach(name -> text.append('\n').append(name));
    return text.append('\n').toString();
  }

  /** Reads the text form. */
  public static KnownFiles read(InputStream in) throws IOException {
    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    List<String> lines = split(text, '\n');
    KnownFiles known = new KnownFiles(lines.subList(1, lines.size()));
    for (String each : split(lines.get(0), ' ')) {
      known.fingerprints.add(Long.parseUnsignedLong(each, HEX));
    }
    return known;
  }

  /** Splits where each part ends with the separator. Loads no class for regular expressions. */
  private static List<String> split(String text, char end) {
    List<String> parts = new ArrayList<>();
    int begin = 0;
    for (int at = text.indexOf(end); at >= 0; at = text.indexOf(end, begin)) {
      parts.add(text.substring(begin, at));
      begin = at + 1;
    }
    return parts;
  }
}
