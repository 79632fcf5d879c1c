package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/** Executes mutations. */
final class Writes {
  private final Tables tables;
  private Mutations mutations;
  private Requests requests;
  private CellText text;

  Writes(Tables tables) {
    this.tables = tables;
  }

  void begin(Times times) {
    mutations = new Mutations(times);
    requests = new Requests(times);
    text = new CellText(times);
  }

  private static byte[] row(Line line) {
    return Words.bytes(line.get("row"));
  }

  Outcome put(Line line) throws Exception {
    try (Table table = tables.open(line)) {
      table.put(mutations.put(line, row(line)));
    }
    return Outcome.of("done");
  }

  Outcome delete(Line line) throws Exception {
    try (Table table = tables.open(line)) {
      table.delete(mutations.delete(line, row(line)));
    }
    return Outcome.of("done");
  }

  Outcome increment(Line line) throws Exception {
    try (Table table = tables.open(line)) {
      return new Outcome(text.of(table.increment(mutations.increment(line, row(line)))));
    }
  }

  Outcome append(Line line) throws Exception {
    try (Table table = tables.open(line)) {
      return new Outcome(text.of(table.append(mutations.append(line, row(line)))));
    }
  }

  Outcome mutateRow(Line line) throws Exception {
    try (Table table = tables.open(line)) {
      return new Outcome(text.of(table.mutateRow(mutations.several(line, row(line)))));
    }
  }

  Outcome check(Line line) throws Exception {
    try (Table table = tables.open(line)) {
      CheckAndMutateResult result = table.checkAndMutate(mutations.checked(line));
      List<String> lines = new ArrayList<>(List.of("success " + result.isSuccess()));
      lines.addAll(text.of(result.getResult()));
      return new Outcome(lines);
    }
  }

  /** Executes puts, deletes and gets of several rows in one call. */
  Outcome batch(Line line) throws Exception {
    List<Row> actions = new ArrayList<>();
    for (String row : line.list("rows")) {
      byte[] key = Words.bytes(row);
      if (line.has("cells")) {
        actions.add(mutations.put(line, key));
      }
      if (line.has("marks")) {
        actions.add(mutations.delete(line, key));
      }
      if (line.has("get")) {
        actions.add(requests.get(Line.of("get"), row));
      }
    }
    Object[] results = new Object[actions.size()];
    try (Table table = tables.open(line)) {
      table.batch(actions, results);
    }
    List<String> lines = new ArrayList<>();
    for (Object result : results) {
      lines.addAll(text.of((Result) result));
    }
    return new Outcome(lines);
  }

  /** Writes many cells in consecutive rows. */
  Outcome fill(Line line) throws Exception {
    List<Put> puts = new ArrayList<>();
    Random random = new Random(line.number("seed", 0));
    long density = line.number("density", 100);
    long length = line.number("length", 5);
    long versions = line.number("count", 1);
    for (String row : rows(line)) {
      for (int version = 0; version < versions; version++) {
        List<String> cells = new ArrayList<>();
        for (String column : line.list("columns")) {
          boolean there = random.nextInt(100) < density;
          String value = "/" + (1 + random.nextInt(30)) + "x" + length;
          if (there) {
            cells.add(column + value);
          }
        }
        if (!cells.isEmpty()) {
          Line cell = line.with("cells", String.join(",", cells));
          puts.add(
              mutations.put(cell.with("ts", line.number("ts", 0) + version), Words.bytes(row)));
        }
      }
    }
    try (Table table = tables.open(line)) {
      table.put(puts);
    }
    return Outcome.of("done " + puts.size());
  }

  /** Returns the rows of a range {@code 10-20}, with the step of the line. */
  static List<String> rows(Line line) {
    String[] range = line.get("rows", "0-1").split("-");
    long step = Math.max(1, line.number("step", 1));
    List<String> rows = new ArrayList<>();
    for (long i = Long.parseLong(range[0]); i < Long.parseLong(range[1]); i += step) {
      rows.add(Keys.row((int) i));
    }
    return rows;
  }
}
