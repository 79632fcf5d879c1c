package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A variant without daemons. It has rows with columns and only the functions of HBase that a
 * shrinker needs.
 */
final class MemoryVariant implements Variant {
  private final Map<String, NavigableMap<String, String>> tables = new TreeMap<>();

  @Override
  public void begin(int run, Times times) {
    tables.clear();
  }

  @Override
  public Outcome apply(Line line) {
    if (line.verb().equals("create")) {
      tables.put(line.get("t"), new TreeMap<>());
      return Outcome.of("done");
    }
    NavigableMap<String, String> table = tables.get(line.get("t", ""));
    if (table == null) {
      return Outcome.of("error no table");
    }
    return switch (line.verb()) {
      case "put" -> put(line, table);
      case "delete" -> delete(line, table);
      case "scan" -> scan(line, table);
      default -> Outcome.of("done");
    };
  }

  private static Outcome put(Line line, NavigableMap<String, String> table) {
    for (String cell : line.list("cells")) {
      int slash = cell.indexOf('/');
      table.put(line.get("row") + " " + cell.substring(0, slash), cell.substring(slash + 1));
    }
    return Outcome.of("done");
  }

  private static Outcome delete(Line line, NavigableMap<String, String> table) {
    table.keySet().removeIf(key -> key.startsWith(line.get("row") + " "));
    return Outcome.of("done");
  }

  private static Outcome scan(Line line, NavigableMap<String, String> table) {
    List<String> lines = new ArrayList<>();
    (line.flag("reversed") ? table.descendingMap() : table)
        .forEach((key, value) -> lines.add("cell " + key + " " + value));
    return new Outcome(lines);
  }

  @Override
  public void end() {
    tables.clear();
  }
}
