package org.fastpath.bench.jmh.reader;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The common parameters of the benchmarks of HFile readers: the reader and its file. */
@Sides.Variants(
    param = "reader",
    candidate = "ours",
    legend = {
      "stock=HBase's scanner on blocks of the off-heap cache",
      "ours=the off-heap reader's scanner on the same blocks, indexed as they were cached"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class ReaderBenchmark {
  @Param({"stock", "ours"})
  public String reader;

  @Param({"NONE", "FAST_DIFF", "ROW_INDEX_V1"})
  public String encoding;

  @Param({"100", "1000", "10000"})
  public int values;

  @Param({"1", "10"})
  public int columns;

  /** The kind of keys: see {@link RowFile.Keys}. */
  @Param({"ycsb", "pe"})
  public String keys;

  /** The size of the file, far more than a core's second-level cache. */
  @Param("128")
  public int megabytes;

  CachedRows rows;

  /** Writes the file, caches it, and compares the readers' results. */
  @Setup
  public void cacheRows() throws IOException {
    World.confirmCurrent();
    RowFile.Shape shape =
        new RowFile.Shape(
            RowFile.Keys.of(keys),
            columns,
            values,
            DataBlockEncoding.valueOf(encoding),
            (long) megabytes << 20);
    rows = new CachedRows(shape, reader);
  }

  /** Deletes the file and frees the cache's memory. */
  @TearDown
  public void dropRows() throws IOException {
    rows.close();
  }

  /** Returns the byte that a response would copy first. */
  static byte firstByteOfValue(Cell cell) {
    if (cell instanceof ByteBufferExtendedCell buffered) {
      return buffered.getValueByteBuffer().get(buffered.getValuePosition());
    }
    return cell.getValueArray()[cell.getValueOffset()];
  }
}
