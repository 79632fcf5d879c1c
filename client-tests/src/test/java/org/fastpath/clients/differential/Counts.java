package org.fastpath.clients.differential;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the comparisons. Not thread-safe. */
final class Counts {
  private final Map<String, Long> byVerb = new TreeMap<>();
  private final Map<String, Long> byError = new TreeMap<>();
  private long cells;
  private long errors;
  private long programs;

  void program() {
    programs++;
  }

  void add(Line line, Outcome outcome) {
    byVerb.merge(line.verb(), 1L, Long::sum);
    cells += outcome.count("cell");
    errors += outcome.count("error");
    outcome.lines().stream()
        .filter(text -> Outcome.kind(text).equals("error"))
        .forEach(text -> byError.merge(text, 1L, Long::sum));
  }

  long operations() {
    return byVerb.values().stream().mapToLong(Long::longValue).sum();
  }

  long cells() {
    return cells;
  }

  @Override
  public String toString() {
    return programs
        + " programs, "
        + operations()
        + " operations "
        + byVerb
        + ", "
        + cells
        + " cells, "
        + errors
        + " errors alike:\n"
        + byError.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining("\n"));
  }
}
