package org.fastpath.tools.doctor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Our configuration keys with their allowed values, from the page {@code
 * docs/operate/configuration.md}.
 *
 * <p>The page is part of the jar, so that there is no second list. A word in capitals that ends a
 * key, or stands between two dots, stands for any word.
 */
final class KnownKeys {
  private static final String PAGE = "configuration.md";
  private static final String VOLUME_CHOICE = "dfs.datanode.latency-aware-volume-choosing-policy.";
  private static final List<String> PREFIXES =
      List.of("hbase.fastpath.", "dfs.fastpath.", VOLUME_CHOICE);
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern PLACEHOLDER = Pattern.compile("(?<=\\.)[A-Z]+(?=\\.|$)");
  private static final int CELLS = 5;

  private final Map<String, Allowed> exact = new LinkedHashMap<>();
  private final Map<Pattern, Allowed> patterns = new LinkedHashMap<>();

  private KnownKeys() {}

  /** Returns the keys of this version. */
  static KnownKeys load() {
    try (InputStream page = KnownKeys.class.getResourceAsStream(PAGE)) {
      return read(new InputStreamReader(page, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(PAGE + " cannot be read from the jar", e);
    }
  }

  /** Returns the keys of a page. */
  static KnownKeys read(Reader page) throws IOException {
    KnownKeys keys = new KnownKeys();
    BufferedReader lines = new BufferedReader(page);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      keys.row(line.split("\\|"));
    }
    return keys;
  }

  /**
   * Adds a row of the table: an empty cell, the key, its module, default, allowed values, meaning.
   */
  private void row(String[] cells) {
    if (cells.length <= CELLS) {
      return;
    }
    Matcher name = NAME.matcher(cells[1]);
    if (name.find()) {
      String key = name.group(1).replace("…", VOLUME_CHOICE);
      if (isOwn(key)) {
        add(key, Allowed.of(cells[4].trim()));
      }
    }
  }

  private void add(String key, Allowed allowed) {
    if (PLACEHOLDER.matcher(key).find()) {
      String[] parts = PLACEHOLDER.split(key, -1);
      StringBuilder pattern = new StringBuilder(Pattern.quote(parts[0]));
      for (int i = 1; i < parts.length; i++) {
        pattern.append("[A-Z0-9_]+").append(Pattern.quote(parts[i]));
      }
      patterns.put(Pattern.compile(pattern.toString()), allowed);
    } else {
      exact.put(key, allowed);
    }
  }

  /** Returns whether a key has a prefix of ours. */
  static boolean isOwn(String key) {
    return PREFIXES.stream().anyMatch(key::startsWith);
  }

  /** Returns the allowed values of a key; empty if it is not ours. */
  Optional<Allowed> allowed(String key) {
    if (exact.containsKey(key)) {
      return Optional.of(exact.get(key));
    }
    return patterns.entrySet().stream()
        .filter(entry -> entry.getKey().matcher(key).matches())
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Returns whether some key has this prefix. */
  boolean begins(String prefix) {
    return exact.keySet().stream().anyMatch(key -> key.startsWith(prefix))
        || patterns.keySet().stream().anyMatch(key -> key.pattern().startsWith("\\Q" + prefix));
  }

  /** Returns all keys without a placeholder. */
  Collection<String> names() {
    return exact.keySet();
  }
}
