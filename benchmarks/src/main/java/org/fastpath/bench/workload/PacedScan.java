package org.fastpath.bench.workload;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * A scan of the whole table, over and over, in step with other clients: it reads on only as they
 * do. So it is the same share of the load on every side of a comparison, however fast a side is.
 */
final class PacedScan implements RequestLoad.Request {
  /** What a piece holds: enough that opening a scanner for each does not count. */
  private static final long PIECE_BYTES = 4L << 20;

  private static final long POLL_MILLIS = 2;

  private final DataTable.Shape shape;
  private final double perRow;
  private final LongSupplier others;
  private final int piece;
  private long scanned;
  private int next;

  /**
   * A scan for a single client.
   *
   * @param first the row that it begins with
   * @param perRow how many rows it reads for each row that the others have read
   * @param others rows that they have read so far
   */
  PacedScan(DataTable.Shape shape, int first, double perRow, LongSupplier others) {
    this.shape = shape;
    this.next = first;
    this.perRow = perRow;
    this.others = others;
    this.piece = (int) Math.max(1, PIECE_BYTES / shape.rowBytes());
  }

  /** Reads the next piece if its time has come. */
  @Override
  public int send(Table table, SplittableRandom random) throws IOException {
    if (scanned + piece > others.getAsLong() * perRow) {
      Pause.millis(POLL_MILLIS);
      return 0;
    }
    int length = Math.min(piece, shape.rows() - next);
    ZipfRequests.filteredScan(table, shape, next, length, Scan.ReadType.STREAM);
    next = (next + length) % shape.rows();
    scanned += length;
    return length;
  }
}
