package org.fastpath.bench.story;

import java.util.concurrent.TimeUnit;
import org.fastpath.bench.Sides;
import org.fastpath.bench.World;
import org.fastpath.bench.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Compares the rows of two cells that lie on or off the heap, which a comparator finds out by an
 * {@code instanceof} of an abstract class, as HBase does, or of an interface, as it first did.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar InstanceOfBenchmark --rounds 6 --out instanceof.json --report instanceof.html
 * </pre>
 */
@Worlds(World.STOCK_JAVA)
@Sides(
    param = "check",
    candidate = "abstract-class",
    legend = {
      "none=the types are known",
      "abstract-class=instanceof HBase's ByteBufferExtendedCell",
      "interface=instanceof an interface with the same methods"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class InstanceOfBenchmark {
  /** How the type is found out. */
  @Param({"none", "abstract-class", "interface"})
  public String check;

  /** All on the heap, all off it, or pairs of all sorts and cells of four classes. */
  @Param({"array", "buffer", "mixed"})
  public String cells;

  private RowComparisons.RowComparison comparison;
  private int next;

  /** Makes the cells. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    comparison = RowComparisons.of(check, cells);
  }

  /** Compares the rows of the next pair. */
  @Benchmark
  public int compare() {
    next = (next + 1) & (CellPairs.PAIRS - 1);
    return comparison.compare(next);
  }
}
