package org.fastpath.clients.differential;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One operation of a program as text: a verb and named arguments, for example {@code get t=t0
 * row=r001 versions=2}. The shrinker may remove each argument. Immutable.
 */
record Line(String verb, Map<String, String> arguments) {
  Line {
    arguments = new LinkedHashMap<>(arguments);
  }

  /** Returns a line without arguments. */
  static Line of(String verb) {
    return new Line(verb, Map.of());
  }

  /** Parses a line that {@link #toString} wrote. */
  static Line parse(String text) {
    String[] words = text.trim().split(" +");
    Map<String, String> arguments = new LinkedHashMap<>();
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("'" + word + "' is not name=value in: " + text);
      }
      arguments.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return new Line(words[0], arguments);
  }

  /**
   * Parses a program of one line per operation. Blank lines and lines that start with # are
   * skipped.
   */
  static List<Line> program(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(Line::parse)
        .toList();
  }

  /** Returns the same line with an argument set. */
  Line with(String name, Object value) {
    Map<String, String> changed = new LinkedHashMap<>(arguments);
    changed.put(name, value.toString());
    return new Line(verb, changed);
  }

  /** Returns the same line without an argument. */
  Line without(String name) {
    Map<String, String> changed = new LinkedHashMap<>(arguments);
    changed.remove(name);
    return new Line(verb, changed);
  }

  boolean has(String name) {
    return arguments.containsKey(name);
  }

  /** Returns a required argument. */
  String get(String name) {
    String value = arguments.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " in: " + this);
    }
    return value;
  }

  String get(String name, String otherwise) {
    return arguments.getOrDefault(name, otherwise);
  }

  long number(String name, long otherwise) {
    return has(name) ? Long.parseLong(get(name)) : otherwise;
  }

  boolean flag(String name) {
    return Boolean.parseBoolean(arguments.get(name));
  }

  /** Returns the parts of a list; none if the argument is missing or empty. */
  List<String> list(String name) {
    String value = get(name, "");
    return value.isEmpty() ? List.of() : List.of(value.split(","));
  }

  @Override
  public String toString() {
    return arguments.isEmpty()
        ? verb
        : verb
            + arguments.entrySet().stream()
                .map(each -> " " + each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining());
  }
}
