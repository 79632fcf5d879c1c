package org.fastpath.bench.jmh.reader;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Scans a cached file repeatedly from its beginning to its end. An operation is a cell.
 *
 * <ul>
 *   <li>{@code cells}: the cost of the reader alone;
 *   <li>{@code rows}: with a comparison of each cell's row with the previous one, as required to
 *       build rows.
 * </ul>
 *
 * <p>{@code bin/fastpath bench ScanBenchmark --millis 500 --rounds 6}
 */
@Sides.Worlds(World.OFF_HEAP)
@Sides.Subset(
    standard = "keys=ycsb",
    quick = {"encoding=NONE,FAST_DIFF", "values=100,1000", "columns=1"})
public class ScanBenchmark extends ReaderBenchmark {
  /** The number of cells after which the scanner is shipped, like after the answer to a request. */
  private static final int CELLS = 1000;

  private HFileScanner scanner;
  private boolean more;

  @Setup
  public void open() {
    scanner = rows.scanner();
  }

  private Cell advance() throws IOException {
    more = more ? scanner.next() : scanner.seekTo();
    if (!more) {
      more = scanner.seekTo();
    }
    return scanner.getCell();
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public void cells(Blackhole values) throws IOException {
    for (int i = 0; i < CELLS; i++) {
      values.consume(firstByteOfValue(advance()));
    }
    scanner.shipped();
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public int rows(Blackhole values) throws IOException {
    int count = 1;
    Cell previous = advance();
    for (int i = 1; i < CELLS; i++) {
      Cell cell = advance();
      count += CellUtil.matchingRows(previous, cell) ? 0 : 1;
      values.consume(firstByteOfValue(cell));
      previous = cell;
    }
    scanner.shipped();
    return count;
  }
}
