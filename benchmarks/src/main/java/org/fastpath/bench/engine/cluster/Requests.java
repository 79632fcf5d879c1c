package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Zipf;

/**
 * What clients ask of a {@link DataTable}: gets, batches of them and ranges, of rows some of which
 * are wanted much more often than others, or all alike. All of them go through the block cache.
 */
public final class Requests {
  /** What a piece of a paced scan holds: enough that opening a scanner for each does not count. */
  private static final long PIECE_BYTES = 4L << 20;

  private static final long POLL_MILLIS = 2;
  private final DataTable.Shape shape;
  private final double exponent;

  /** Kinds of reads by which caches and readers are compared. */
  public enum Kind {
    /** A row per request. */
    GET("get"),
    /** Several rows per request, each chosen by itself. */
    MULTI_GET("multi-get"),
    /** A range of rows, all of which the client gets. */
    SCAN("scan"),
    /** A range of rows, of which a filter drops nine in ten. */
    FILTER_MOST("scan-filter-90"),
    /** A range of rows, all of which a filter drops. */
    FILTER_ALL("scan-filter-all");

    private static final double ONE_IN_TEN = 0.1;
    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The name on the command line and in results. */
    public String label() {
      return label;
    }

    /** Requests of this kind, with so many rows in a batch or a range. */
    public RequestLoad.Request of(Requests requests, int batch, int scanRows) {
      return switch (this) {
        case GET -> requests.get();
        case MULTI_GET -> requests.multiGet(batch);
        case SCAN -> requests.scan(scanRows, 1, 0);
        case FILTER_MOST -> requests.scan(scanRows, ONE_IN_TEN, 0);
        case FILTER_ALL -> requests.scan(scanRows, 0, 0);
      };
    }

    /** How many rows a request is for; those that a filter drops count. */
    public int rows(int batch, int scanRows) {
      return this == GET ? 1 : this == MULTI_GET ? batch : scanRows;
    }

    /** What tells this kind from others of its name, as parameters of results. */
    public Map<String, String> params(int batch, int scanRows) {
      return switch (this) {
        case GET -> Map.of();
        case MULTI_GET -> Map.of("batch", Integer.toString(batch));
        default -> Map.of("rows per scan", Integer.toString(scanRows));
      };
    }
  }

  /** Favourites by Zipf's law; with exponent 0 all rows are alike. */
  public Requests(DataTable.Shape shape, double exponent) {
    this.shape = shape;
    this.exponent = exponent;
  }

  /** A single get in one request. */
  public RequestLoad.Request get() {
    Zipf zipf = Zipf.scattered(shape.rows(), exponent);
    return (table, random) -> {
      Get get = new Get(DataTable.key(zipf.item(random.nextDouble())));
      DataTable.require(table.get(get), shape.valueBytes());
      return 1;
    };
  }

  /** That many gets in one request. */
  public RequestLoad.Request multiGet(int batch) {
    Zipf zipf = Zipf.scattered(shape.rows(), exponent);
    return (table, random) -> {
      List<Get> gets = new ArrayList<>(batch);
      for (int i = 0; i < batch; i++) {
        gets.add(new Get(DataTable.key(zipf.item(random.nextDouble()))));
      }
      for (Result result : table.get(gets)) {
        DataTable.require(result, shape.valueBytes());
      }
      return batch;
    };
  }

  /**
   * A scan of rows that follow one another.
   *
   * @param length how many
   * @param passing the part of them that a filter lets through; with 1 there is no filter
   * @param caching rows per RPC; 0 for as many as fit
   */
  public RequestLoad.Request scan(int length, double passing, int caching) {
    Zipf zipf = Zipf.scattered(Math.max(1, shape.rows() / length), exponent);
    return (table, random) -> {
      int first = zipf.item(random.nextDouble()) * length;
      return scan(table, first, length, passing, scan -> scan.setCaching(caching));
    };
  }

  /**
   * A scan of the whole table by a single client, over and over, in step with others: it reads on
   * only as they do. So it is the same share of the load on every side, however fast a side is.
   *
   * @param first the row that it begins with
   * @param perRow how many rows it reads for each row that the others have read
   * @param others rows that they have read so far
   */
  public RequestLoad.Request pacedScan(int first, double perRow, LongSupplier others) {
    int piece = (int) Math.max(1, PIECE_BYTES / shape.rowBytes());
    long[] scanned = {0};
    int[] next = {first};
    return (table, random) -> {
      if (scanned[0] + piece > others.getAsLong() * perRow) {
        Pause.millis(POLL_MILLIS);
        return 0;
      }
      int length = Math.min(piece, shape.rows() - next[0]);
      scan(table, next[0], length, 0, scan -> scan.setReadType(Scan.ReadType.STREAM));
      next[0] = (next[0] + length) % shape.rows();
      scanned[0] += length;
      return length;
    };
  }

  /** Has the server read all rows by position, so that all of its blocks are cached. */
  public void fill(Table table, int scanRows) throws IOException {
    for (int first = 0; first < shape.rows(); first += scanRows) {
      int length = Math.min(scanRows, shape.rows() - first);
      scan(table, first, length, 0, scan -> scan.setReadType(Scan.ReadType.PREAD));
    }
  }

  /**
   * Has the server read rows; those that pass are sent. What the client does with rows would take
   * more CPU time than the server's part.
   */
  private int scan(Table table, int first, int length, double passing, Consumer<Scan> more)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(DataTable.key(first))
            .withStopRow(DataTable.key(first + length))
            .setScanMetricsEnabled(true);
    more.accept(scan);
    if (passing < 1) {
      scan.setFilter(new RandomRowFilter((float) passing));
    }
    int passed = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        DataTable.require(row, shape.valueBytes());
        passed++;
      }
      long scanned = scanner.getScanMetrics().countOfRowsScanned.get();
      boolean right = passing > 0 && passing < 1 || passed == (passing == 0 ? 0 : length);
      if (scanned != length || !right) {
        throw new IOException(
            "a scan read " + scanned + " rows and found " + passed + ", of " + length);
      }
    }
    return length;
  }

  /**
   * Reads of several tables, nearly all of them of one table, which is another one from time to
   * time. Safe from any thread.
   */
  public static final class Shifting implements RequestLoad.Request {
    private final Connection connection;
    private final List<TableName> tables;
    private final RequestLoad.Request request;
    private final double hotShare;
    private volatile int hot;

    /**
     * Reads of which the first table gets most.
     *
     * @param request a read of any of the tables
     * @param hotShare the part of all reads that goes to the hot table; the others share the rest
     */
    public Shifting(
        Connection connection,
        List<TableName> tables,
        RequestLoad.Request request,
        double hotShare) {
      this.connection = connection;
      this.tables = List.copyOf(tables);
      this.request = request;
      this.hotShare = hotShare;
    }

    /** From now on this table is the hot one. */
    public void shiftTo(int table) {
      hot = table;
    }

    /** Reads a table of its own choice instead of the one that it is given. */
    @Override
    public int send(Table any, SplittableRandom random) throws IOException {
      try (Table table = connection.getTable(tables.get(next(random)))) {
        return request.send(table, random);
      }
    }

    private int next(SplittableRandom random) {
      if (random.nextDouble() < hotShare) {
        return hot;
      }
      int other = random.nextInt(tables.size() - 1);
      return other < hot ? other : other + 1;
    }
  }
}
