package org.fastpath.common.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lists the upstream code that one feature relies on.
 *
 * <p>As text, one upstream class after the other, each with its members:
 *
 * <pre>
 * fastpath-guard 2
 * org/apache/hadoop/hbase/regionserver/HStore class extended outside
 *  method getScanner (L...;)L...; outside
 *  field storeEngine L...; package
 *  code getScanner (L...;)L...; 8c2f0a1b2c3d4e5f 123456789abcdef
 *  abstract close ()V package
 *  known org/apache/hadoop/hbase/regionserver/HStore = 1a2b3c4d5e6f7081
 * </pre>
 *
 * <ul>
 *   <li>{@code patched}: the jar holds a class of this name, which must have all of its methods.
 *   <li>{@code extended}: a class of ours extends it, so it must not be final.
 *   <li>{@code outside}: code of other packages uses it; {@code package}: code of its own only;
 *       {@code reflection}: with any access.
 *   <li>{@code class} or {@code interface}: the kind by which our code calls it.
 *   <li>{@code code}: the digests of a method in the verified versions; 0 if one has no such
 *       method.
 *   <li>{@code implemented}: our classes implement its {@code abstract} methods, and there must be
 *       no other.
 *   <li>{@code known}: the class files that decide about all of these lines, and a fingerprint of
 *       their CRCs for each verified version. If one is the same, nothing is read.
 * </ul>
 */
public final class Reliance {
  private static final String HEAD = "fastpath-guard 2";

  private final Map<String, Use> classes = new TreeMap<>();

  /** Returns the uses of a class by its internal name, to be added to. */
  public Use of(String name) {
    return classes.computeIfAbsent(name, absent -> new Use());
  }

  Map<String, Use> classes() {
    return classes;
  }

  /** Returns whether the list has a class whose internal name has this start. */
  public boolean uses(String start) {
    return classes.keySet().stream().anyMatch(name -> name.startsWith(start));
  }

  /** Returns the text form: the same for the same content. */
  public String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    classes.forEach(
        (name, use) -> {
          text.append(name);
          use.write(text);
        });
    return text.toString();
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is not of this format
   */
  public static Reliance read(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    if (!HEAD.equals(lines.readLine())) {
      throw new IllegalArgumentException("a list of relied-on code in another format");
    }
    Reliance reliance = new Reliance();
    Use use = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.strip().split(" ");
      if (line.startsWith(" ") && use != null) {
        use.readMember(words);
      } else {
        use = reliance.of(words[0]);
        use.readFlags(words);
      }
    }
    return reliance;
  }
}
