package org.fastpath.clients.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** Executes gets and scans, by the blocking and by the asynchronous client. */
final class Reads {
  private static final String CLIENT = "client";
  private static final Set<String> UNCUT = Set.of("cell", "error", "end");

  private final Tables tables;
  private final Map<String, ResultScanner> open = new HashMap<>();
  private Requests requests;
  private CellText text;

  Reads(Tables tables) {
    this.tables = tables;
  }

  void begin(Times times) {
    requests = new Requests(times);
    text = new CellText(times);
  }

  /** Closes the scanners that a program has left open. */
  void end() {
    open.values().forEach(ResultScanner::close);
    open.clear();
  }

  Outcome get(Line line) throws Exception {
    List<Get> gets = new ArrayList<>();
    for (String row : line.list("rows")) {
      gets.add(requests.get(line, row));
    }
    List<String> lines = new ArrayList<>();
    if (line.get(CLIENT, "").equals("async")) {
      AsyncTable<AdvancedScanResultConsumer> table = tables.openAsync(line);
      for (CompletableFuture<Result> result : table.get(gets)) {
        lines.addAll(text.of(result.get()));
      }
      return new Outcome(lines);
    }
    try (Table table = tables.open(line)) {
      if (gets.size() == 1) {
        lines.addAll(text.of(table.get(gets.get(0))));
      } else {
        for (Result result : table.get(gets)) {
          lines.addAll(text.of(result));
        }
      }
    }
    return new Outcome(lines);
  }

  Outcome exists(Line line) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (String row : line.list("rows")) {
      gets.add(requests.get(line, row));
    }
    List<String> lines = new ArrayList<>();
    try (Table table = tables.open(line)) {
      for (boolean there : table.exists(gets)) {
        lines.add("exists " + there);
      }
    }
    return new Outcome(lines);
  }

  Outcome scan(Line line) throws Exception {
    Scan scan = requests.scan(line);
    Outcome outcome =
        switch (line.get(CLIENT, "table")) {
          case "async" -> all(line, scan);
          case "advanced" -> advanced(line, scan);
          default -> blocking(line, scan);
        };
    if (line.has("columns")) {
      outcome = withoutMore(outcome);
    }
    return line.number("maxSize", 1) > 1 ? cells(outcome) : outcome;
  }

  /**
   * Removes whether rows may have more cells. If columns are named, HBase skips or seeks to the
   * next one. Only a skip stops at a cell of the row that is not named. The choice depends on the
   * keys of blocks, of which our reader knows more.
   */
  private static Outcome withoutMore(Outcome outcome) {
    return new Outcome(
        outcome.lines().stream()
            .map(each -> each.equals(CellText.MORE) ? "result" : each)
            .toList());
  }

  /**
   * Keeps only lines that do not depend on the place where a size limit ends an answer. The limit
   * counts the heap size of cells. That size depends on the memory and, also in HBase, on whether a
   * block is read for the first time. A limit of one byte ends an answer after each cell.
   */
  private static Outcome cells(Outcome outcome) {
    return new Outcome(
        outcome.lines().stream().filter(each -> UNCUT.contains(Outcome.kind(each))).toList());
  }

  private Outcome all(Line line, Scan scan) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Result result : tables.openAsync(line).scanAll(scan).get()) {
      lines.addAll(text.of(result));
    }
    return new Outcome(lines);
  }

  /** Scans by the client that sees each answer of a server. */
  private Outcome advanced(Line line, Scan scan) throws Exception {
    List<String> lines = new ArrayList<>();
    CompletableFuture<Void> end = new CompletableFuture<>();
    tables
        .openAsync(line)
        .scan(
            scan,
            new AdvancedScanResultConsumer() {
              @Override
              public void onNext(Result[] results, ScanController controller) {
                for (Result result : results) {
                  lines.addAll(text.of(result));
                }
                cursor(controller);
              }

              @Override
              public void onHeartbeat(ScanController controller) {
                cursor(controller);
              }

              private void cursor(ScanController controller) {
                controller
                    .cursor()
                    .ifPresent(cursor -> lines.add("cursor " + Words.word(cursor.getRow())));
              }

              @Override
              public void onScanMetricsCreated(ScanMetrics metrics) {
                // Counts are read from the blocking client.
              }

              @Override
              public void onError(Throwable error) {
                end.completeExceptionally(error);
              }

              @Override
              public void onComplete() {
                end.complete(null);
              }
            });
    end.get();
    return new Outcome(lines);
  }

  private Outcome blocking(Line line, Scan scan) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Table table = tables.open(line);
        ResultScanner scanner = table.getScanner(scan)) {
      long most = line.number("take", Long.MAX_VALUE);
      boolean ended = take(scanner, most, lines);
      if (ended && scan.isScanMetricsEnabled()) {
        metrics(scanner.getScanMetrics(), scan, lines);
      }
    }
    return new Outcome(lines);
  }

  /** Takes results. Returns whether the scan has ended. */
  private boolean take(ResultScanner scanner, long most, List<String> lines) throws IOException {
    for (long i = 0; i < most; i++) {
      Result result = scanner.next();
      if (result == null) {
        lines.add("end");
        return true;
      }
      lines.addAll(text.of(result));
    }
    return false;
  }

  /**
   * Adds counts. A scan that a server reads inline may meet a block that is not in memory. Then it
   * counts the block before it again, and ends one request elsewhere. An answer that ends early, to
   * change to a stream, does not count its last row as filtered.
   */
  private static void metrics(ScanMetrics metrics, Scan scan, List<String> lines) {
    boolean inline = !scan.hasFilter() && !scan.isReversed() && scan.getBatch() <= 0;
    lines.add("metric rowsScanned=" + metrics.countOfRowsScanned.get());
    if (scan.getReadType() != Scan.ReadType.DEFAULT) {
      lines.add("metric rowsFiltered=" + metrics.countOfRowsFiltered.get());
    }
    lines.add("metric regions=" + metrics.countOfRegions.get());
    lines.add("metric resultBytes=" + metrics.countOfBytesInResults.get());
    lines.add("metric memstoreBytes=" + metrics.bytesReadFromMemstore.get());
    if (!inline) {
      lines.add("metric calls=" + metrics.countOfRPCcalls.get());
      lines.add("metric blockBytes=" + metrics.countOfBlockBytesScanned.get());
    }
  }

  /** Opens a scanner that later lines continue. */
  Outcome open(Line line) throws IOException {
    closeScanner(line);
    Table table = tables.open(line);
    open.put(line.get("s"), table.getScanner(requests.scan(line)));
    return Outcome.of("done");
  }

  Outcome next(Line line) throws IOException {
    List<String> lines = new ArrayList<>();
    ResultScanner scanner = open.get(line.get("s"));
    if (scanner != null) {
      take(scanner, line.number("take", 1), lines);
    }
    return new Outcome(lines);
  }

  Outcome close(Line line) {
    closeScanner(line);
    return Outcome.of("done");
  }

  private void closeScanner(Line line) {
    ResultScanner scanner = open.remove(line.get("s"));
    if (scanner != null) {
      scanner.close();
    }
  }
}
