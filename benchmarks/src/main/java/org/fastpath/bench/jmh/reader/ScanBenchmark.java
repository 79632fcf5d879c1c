package org.fastpath.bench.jmh.reader;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Subset;
import org.fastpath.bench.jmh.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Scans a cached file from its beginning to its end, and again. An operation is a cell.
 *
 * <ul>
 *   <li>{@code cells}: what the reader alone costs;
 *   <li>{@code rows}: each cell's row is compared with that of the cell before it, as whoever makes
 *       rows of cells does.
 * </ul>
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar ScanBenchmark --millis 500 --rounds 6 --out scan.json --report scan.html
 * </pre>
 */
@Worlds(World.OFF_HEAP)
@Subset(
    standard = "keys=ycsb",
    quick = {"encoding=NONE,FAST_DIFF", "values=100,1000", "columns=1"})
public class ScanBenchmark extends ReaderBenchmark {
  /** After so many cells what was read is shipped, as the answer to a request is. */
  private static final int CELLS = 1000;

  private HFileScanner scanner;
  private boolean more;

  /** Opens the scanner. */
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

  /** The next cells. */
  @Benchmark
  @OperationsPerInvocation(CELLS)
  public void cells(Blackhole values) throws IOException {
    for (int i = 0; i < CELLS; i++) {
      values.consume(firstByteOfValue(advance()));
    }
    scanner.shipped();
  }

  /** The next cells; how many rows they are of. */
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
