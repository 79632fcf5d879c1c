package org.fastpath.clients.differential;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** Builds gets and scans of HBase's client from lines. */
final class Requests {
  private final Times times;

  Requests(Times times) {
    this.times = times;
  }

  static long from(Line line, Times times) {
    return line.has("from") ? times.millis(line.number("from", 0)) : 0;
  }

  static long to(Line line, Times times) {
    return line.has("to") ? times.millis(line.number("to", 0)) : Long.MAX_VALUE;
  }

  Get get(Line line, String row) throws IOException {
    Get get = new Get(Words.bytes(row));
    line.list("families").forEach(family -> get.addFamily(Bytes.toBytes(family)));
    for (String text : line.list("columns")) {
      Mutations.Column column = Mutations.Column.parse(text);
      get.addColumn(column.family(), column.qualifier());
    }
    if (line.has("versions")) {
      get.readVersions((int) line.number("versions", 1));
    }
    if (line.has("from") || line.has("to")) {
      get.setTimeRange(from(line, times), to(line, times));
    }
    if (line.has("perFamily")) {
      get.setMaxResultsPerColumnFamily((int) line.number("perFamily", 0));
    }
    if (line.has("offset")) {
      get.setRowOffsetPerColumnFamily((int) line.number("offset", 0));
    }
    if (line.has("cacheBlocks")) {
      get.setCacheBlocks(line.flag("cacheBlocks"));
    }
    get.setCheckExistenceOnly(line.flag("existence"));
    forBoth(line, get);
    return get;
  }

  private void forBoth(Line line, Query query) {
    if (line.has("filter")) {
      query.setFilter(Filters.parse(line.get("filter"), times));
    }
    if (line.has("onDemand")) {
      query.setLoadColumnFamiliesOnDemand(line.flag("onDemand"));
    }
    if (line.has("uncommitted")) {
      query.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    }
    for (String range : line.list("ranges")) {
      String[] parts = range.split(":");
      query.setColumnFamilyTimeRange(
          Bytes.toBytes(parts[0]),
          times.millis(Long.parseLong(parts[1])),
          times.millis(Long.parseLong(parts[2])));
    }
  }

  Scan scan(Line line) throws IOException {
    Scan scan = new Scan();
    rows(line, scan);
    line.list("families").forEach(family -> scan.addFamily(Bytes.toBytes(family)));
    for (String text : line.list("columns")) {
      Mutations.Column column = Mutations.Column.parse(text);
      scan.addColumn(column.family(), column.qualifier());
    }
    if (line.has("versions")) {
      scan.readVersions((int) line.number("versions", 1));
    }
    if (line.has("from") || line.has("to")) {
      scan.setTimeRange(from(line, times), to(line, times));
    }
    if (line.has("perFamily")) {
      scan.setMaxResultsPerColumnFamily((int) line.number("perFamily", 0));
    }
    if (line.has("offset")) {
      scan.setRowOffsetPerColumnFamily((int) line.number("offset", 0));
    }
    if (line.has("cacheBlocks")) {
      scan.setCacheBlocks(line.flag("cacheBlocks"));
    }
    forBoth(line, scan);
    limits(line, scan);
    return scan;
  }

  private static void rows(Line line, Scan scan) {
    if (line.has("start")) {
      scan.withStartRow(Words.bytes(line.get("start")), !line.flag("afterStart"));
    }
    if (line.has("stop")) {
      scan.withStopRow(Words.bytes(line.get("stop")), line.flag("withStop"));
    }
    scan.setReversed(line.flag("reversed"));
    scan.setRaw(line.flag("raw"));
  }

  @SuppressWarnings("deprecation") // Clients still make small scans, so the test compares them.
  private static void limits(Line line, Scan scan) {
    if (line.has("batch")) {
      scan.setBatch((int) line.number("batch", 0));
    }
    if (line.has("caching")) {
      scan.setCaching((int) line.number("caching", 0));
    }
    if (line.has("limit")) {
      scan.setLimit((int) line.number("limit", 0));
    }
    if (line.has("maxSize")) {
      scan.setMaxResultSize(line.number("maxSize", 0));
    }
    if (line.has("small")) {
      scan.setSmall(line.flag("small"));
    }
    if (line.has("readType")) {
      scan.setReadType(Scan.ReadType.valueOf(line.get("readType")));
    }
    if (line.has("prefetch")) {
      scan.setAsyncPrefetch(line.flag("prefetch"));
    }
    scan.setAllowPartialResults(line.flag("partial"));
    scan.setNeedCursorResult(line.flag("cursor"));
    scan.setScanMetricsEnabled(line.flag("metrics"));
  }
}
