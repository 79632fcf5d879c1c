package org.fastpath.bench.jmh.reader;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Seeks a column of a random row in a cached file and reads its value. An operation is a row, in
 * one of two ways:
 *
 * <ul>
 *   <li>{@code seek}: by an existing scanner;
 *   <li>{@code reseek}: a hundred rows in their order by one scanner, like a filter with hints.
 * </ul>
 *
 * <p>Keys are created before, so only allocations of the reader and the cache are measured. Their
 * rows are separate arrays, like those of a request. Otherwise a benchmark would measure the wait
 * for a key's memory, which is not part of a reader.
 *
 * <p>{@code bin/fastpath bench SeekBenchmark --millis 500 --rounds 6}
 */
@Sides.Worlds(World.OFF_HEAP)
@Sides.Subset(
    standard = {"keys=ycsb", "sought=present"},
    quick = {"encoding=NONE,FAST_DIFF", "values=100,1000", "columns=1"})
public class SeekBenchmark extends ReaderBenchmark {
  private static final int BATCH = 100;
  private static final int BATCHES = 600;
  private static final long SEED = 7;

  /** Existing rows, or rows between them. */
  @Param({"present", "absent"})
  public String sought;

  private final Cell[] random = new Cell[BATCH * BATCHES];
  private Cell[] sorted;
  private HFileScanner scanner;
  private int next;

  /** Chooses the rows, and checks that they are found at the right place. */
  @Setup
  public void drawRows() throws IOException {
    Random draw = new Random(SEED);
    for (int i = 0; i < random.length; i++) {
      byte[] qualifier = RowFile.qualifier(draw.nextInt(columns));
      random[i] = PrivateCellUtil.createFirstOnRow(row(draw), RowFile.FAMILY, qualifier);
    }
    sorted = random.clone();
    for (int at = 0; at < sorted.length; at += BATCH) {
      Arrays.sort(sorted, at, at + BATCH, CellComparator.getInstance());
    }
    scanner = rows.scanner();
    for (int i = 0; i < BATCH; i++) {
      requireFound(random[i]);
    }
  }

  private byte[] row(Random draw) {
    int number = draw.nextInt(rows.rows().length);
    return sought.equals("present")
        ? rows.rows()[number].clone()
        : RowFile.Keys.of(keys).absent(number);
  }

  private void requireFound(Cell key) throws IOException {
    boolean found = StoreFileScanner.seekAtOrAfter(scanner, key);
    boolean right =
        sought.equals("present")
            ? found && CellUtil.matchingRows(key, scanner.getCell())
            : !found || CellComparator.getInstance().compareRows(key, scanner.getCell()) < 0;
    if (!right) {
      throw new IllegalStateException(reader + " finds " + scanner.getCell() + " for " + key);
    }
    scanner.shipped();
  }

  private Cell advance() {
    next = next + 1 == random.length ? 0 : next + 1;
    return random[next];
  }

  @Benchmark
  public int seek() throws IOException {
    int value = valueAfter(StoreFileScanner.seekAtOrAfter(scanner, advance()), scanner);
    scanner.shipped();
    return value;
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int reseek() throws IOException {
    next = next + BATCH >= sorted.length ? 0 : next + BATCH;
    HFileScanner own = rows.scanner();
    boolean found = StoreFileScanner.seekAtOrAfter(own, sorted[next]);
    int values = valueAfter(found, own);
    for (int i = 1; i < BATCH && found; i++) {
      found = own.reseekTo(sorted[next + i]) <= 0 || own.next();
      values += valueAfter(found, own);
    }
    own.close();
    return values;
  }

  private static int valueAfter(boolean found, HFileScanner scanner) {
    return found ? firstByteOfValue(scanner.getCell()) : 0;
  }
}
