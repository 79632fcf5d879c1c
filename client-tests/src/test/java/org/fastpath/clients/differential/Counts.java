package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the comparisons. Not thread-safe. */
final class Counts {
  private final Map<String, Long> byVerb = new TreeMap<>();
  private final Map<String, Long> byError = new TreeMap<>();
  private final List<Difference> unrepeated = new ArrayList<>();
  private final List<Line> endless = new ArrayList<>();
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

  /** Adds a difference of counts that the next scan did not show. */
  void unrepeated(Difference difference) {
    unrepeated.add(difference);
  }

  /** Adds an operation that ended on neither variant. */
  void endless(Line line) {
    endless.add(line);
  }

  List<Line> endless() {
    return endless;
  }

  List<Difference> unrepeated() {
    return unrepeated;
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
            .collect(Collectors.joining("\n"))
        + "\n"
        + unrepeated.size()
        + " differences of counts not repeated by the next scan "
        + unrepeated
        + "\n"
        + endless.size()
        + " operations without an end "
        + endless;
  }
}
