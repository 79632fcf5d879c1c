package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Zipf;

/**
 * The clients' requests to a {@link DataTable}: gets, batches and ranges. Some rows are much more
 * frequent than others, or all are equally frequent. All reads go through the block cache.
 */
public final class Requests {
  /** The bytes of a piece of a paced scan, so large that the opening of a scanner is negligible. */
  private static final long PIECE_BYTES = 4L << 20;

  private final DataTable.Shape shape;
  private final double exponent;

  /** The kinds of reads for comparisons of caches and readers. */
  public enum Kind {
    GET("get"),
    MULTI_GET("multi-get"),
    SCAN("scan"),
    /** A filter drops nine rows in ten. */
    FILTER_MOST("scan-filter-90"),
    FILTER_ALL("scan-filter-all");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }

    public RequestLoad.Request of(DataTable.Shape shape, int batch, int scanRows) {
      Requests requests = new Requests(shape, 0);
      return switch (this) {
        case GET -> requests.get();
        case MULTI_GET -> requests.multiGet(batch);
        case SCAN -> requests.scan(scanRows, 1, 0);
        case FILTER_MOST -> requests.scan(scanRows, 0.1, 0);
        case FILTER_ALL -> requests.scan(scanRows, 0, 0);
      };
    }

    /** Returns the number of rows of a request, including those that a filter drops. */
    public int rows(int batch, int scanRows) {
      return this == GET ? 1 : this == MULTI_GET ? batch : scanRows;
    }

    /** Returns the parameters of results that identify this kind among others of its name. */
    public Map<String, String> params(int batch, int scanRows) {
      return switch (this) {
        case GET -> Map.of();
        case MULTI_GET -> new Params().with("batch", batch);
        default -> new Params().with("rows per scan", scanRows);
      };
    }
  }

  /** Chooses favourites by Zipf's law; with exponent 0 all rows are equally frequent. */
  public Requests(DataTable.Shape shape, double exponent) {
    this.shape = shape;
    this.exponent = exponent;
  }

  public RequestLoad.Request get() {
    Function<SplittableRandom, Get> next = gets();
    return (table, random) -> {
      DataTable.require(table.get(next.apply(random)), shape.valueBytes());
      return 1;
    };
  }

  public RequestLoad.Request multiGet(int batch) {
    Function<SplittableRandom, Get> next = gets();
    return (table, random) -> {
      List<Get> gets = new ArrayList<>(batch);
      for (int i = 0; i < batch; i++) {
        gets.add(next.apply(random));
      }
      for (Result result : table.get(gets)) {
        DataTable.require(result, shape.valueBytes());
      }
      return batch;
    };
  }

  private Function<SplittableRandom, Get> gets() {
    Zipf zipf = Zipf.scattered(shape.rows(), exponent);
    return random -> new Get(DataTable.key(zipf.item(random.nextDouble())));
  }

  /**
   * Returns a scan of consecutive rows.
   *
   * @param passing the part of them that passes a filter; with 1 there is no filter
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
   * Returns gets; one in so many requests is a scan. Requests of all clients are counted, so equal
   * periods have equal shares of scans. Rows of a scan do not count. It reads a stream, so blocks
   * that are read by position are those of gets.
   */
  public RequestLoad.Request getBesideScans(int requestsPerScan, int length) {
    RequestLoad.Request get = get();
    int rows = Math.min(length, shape.rows());
    AtomicInteger sent = new AtomicInteger();
    return (table, random) -> {
      if (sent.incrementAndGet() % requestsPerScan != 0) {
        return get.send(table, random);
      }
      int first = random.nextInt(shape.rows() - rows + 1);
      scan(table, first, rows, 1, scan -> scan.setReadType(Scan.ReadType.STREAM));
      return 0;
    };
  }

  /**
   * Returns a repeated scan of the whole table by a single client, in step with others. So it is
   * the same share of the load on every variant, however fast a variant is.
   *
   * @param perRow the number of rows that it reads for each row of the others
   * @param others rows that the others have read so far
   */
  public RequestLoad.Request pacedScan(int first, double perRow, LongSupplier others) {
    int piece = (int) Math.max(1, PIECE_BYTES / shape.rowBytes());
    long[] scanned = {0};
    int[] next = {first};
    return (table, random) -> {
      if (scanned[0] + piece > others.getAsLong() * perRow) {
        Pause.millis(2);
        return 0;
      }
      int length = Math.min(piece, shape.rows() - next[0]);
      scan(table, next[0], length, 0, scan -> scan.setReadType(Scan.ReadType.STREAM));
      next[0] = (next[0] + length) % shape.rows();
      scanned[0] += length;
      return length;
    };
  }

  /** Makes the server read all rows by position, so all its blocks are cached. */
  public void fill(Table table, int scanRows) throws IOException {
    for (int first = 0; first < shape.rows(); first += scanRows) {
      int length = Math.min(scanRows, shape.rows() - first);
      scan(table, first, length, 0, scan -> scan.setReadType(Scan.ReadType.PREAD));
    }
  }

  /**
   * Makes the server read rows; those that pass are sent. The client skips the rows' content,
   * because it would take more CPU time than the server's part.
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
            "a scan of " + length + " rows read " + scanned + " and found " + passed);
      }
    }
    return length;
  }

  /**
   * Reads several tables. Nearly all reads are of one table, at first the first one. The hot table
   * changes from time to time. Thread-safe.
   *
   * @param request a read of any of the tables
   * @param hotShare the part of all reads that goes to the hot table; the others share the rest
   */
  public record Shifting(
      Connection connection,
      List<DataTable> tables,
      RequestLoad.Request request,
      double hotShare,
      AtomicInteger hot)
      implements RequestLoad.Request {
    public Shifting(
        Connection connection,
        List<DataTable> tables,
        RequestLoad.Request request,
        double hotShare) {
      this(connection, tables, request, hotShare, new AtomicInteger());
    }

    public void shiftTo(int table) {
      hot.set(table);
    }

    /** Reads a table of its own choice instead of the given one. */
    @Override
    public int send(Table any, SplittableRandom random) throws IOException {
      int next = hot.get();
      if (random.nextDouble() >= hotShare) {
        int other = random.nextInt(tables.size() - 1);
        next = other < next ? other : other + 1;
      }
      try (Table table = connection.getTable(tables.get(next).name())) {
        return request.send(table, random);
      }
    }
  }
}
