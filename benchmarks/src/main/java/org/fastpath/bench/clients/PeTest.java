package org.fastpath.bench.clients;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A test of PerformanceEvaluation with its options, as on its command line, for example {@code
 * --multiGet=100 randomRead}.
 *
 * @param words options, and the name of the test at the end
 */
record PeTest(List<String> words) {
  static final String MAIN = "org.apache.hadoop.hbase.PerformanceEvaluation";

  /** The prefix of range scans; the rest of the name is the number of rows of an operation. */
  private static final String RANGE = "scanRange";

  /** A test whose operations read the whole table. */
  private static final String FILTERED = "filterScan";

  /** A test in which each client reads its part of the table once. */
  private static final String WHOLE = "scan";

  static PeTest of(String text) {
    List<String> words = Arrays.stream(text.trim().split("\\s+")).toList();
    if (words.get(words.size() - 1).startsWith("--")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" names no test; an example is \"--caching=100 scan\"");
    }
    return new PeTest(words);
  }

  /** Returns the name in results. */
  String label() {
    return String.join(" ", words);
  }

  private String name() {
    return words.get(words.size() - 1);
  }

  /** Returns the number of rows that one operation of a client reads. */
  private long rowsOfOperation(long tableRows) {
    if (name().equals(FILTERED)) {
      return tableRows;
    }
    return name().startsWith(RANGE) ? Long.parseLong(name().substring(RANGE.length())) : 1;
  }

  private long operations(long tableRows, long rows, int clients) {
    return name().equals(WHOLE)
        ? tableRows / clients
        : Math.max(1, rows / clients / rowsOfOperation(tableRows));
  }

  /** Returns the number of rows that the command line reads. */
  long rowsRead(long tableRows, long rows, int clients) {
    return operations(tableRows, rows, clients) * clients * rowsOfOperation(tableRows);
  }

  /**
   * Returns the command line that reads a number of rows of a table.
   *
   * @param tableRows the rows of the table
   * @param rows the rows to read, by all clients together
   * @param clients number of threads
   */
  List<String> arguments(long tableRows, long rows, int clients, int valueBytes) {
    List<String> arguments = new ArrayList<>(List.of("--nomapred", "--latency"));
    arguments.add("--valueSize=" + valueBytes);
    arguments.add("--rows=" + operations(tableRows, rows, clients));
    arguments.addAll(words);
    arguments.add(Integer.toString(clients));
    return arguments;
  }
}
