package org.fastpath.bench.engine.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a comparison that is about one module.
 *
 * @param text what the module does
 * @param works its kinds of work, with which names of measurements and flame graphs begin
 * @param settings lines by side; the first one is a sentence, others are keys with values
 * @param lines the lines of configuration that put the module in
 * @param page its page, relative to the project
 */
public record Topic(
    String title,
    String text,
    List<String> works,
    Map<String, List<String>> settings,
    String lines,
    String page) {
  public Topic {
    works = List.copyOf(works);
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Returns whether a measurement is of this module: "get: cpu" is of "get". */
  public boolean has(String measurement) {
    return works.contains(measurement.replaceFirst(":.*", ""));
  }
}
