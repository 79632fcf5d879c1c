package org.fastpath.bench.story;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.fastpath.bench.Sides;
import org.fastpath.bench.Subset;
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
 * Compares two keys of 135 bytes, off the heap and on it; the story's were equal.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar CompareBenchmark --rounds 6 --out compare.json --report compare.html
 * </pre>
 */
@Worlds(World.STOCK_JAVA)
@Sides(
    param = "comparison",
    candidate = "byte-buffer-utils",
    legend = {
      "bytes=on heap: HBase's Bytes.compareTo",
      "arrays=on heap: Arrays.compareUnsigned",
      "byte-buffer-utils=off heap: HBase's ByteBufferUtils.compareTo",
      "byte-buffer-utils-array=off heap with on heap: the same",
      "mismatch=off heap: ByteBuffer.mismatch",
      "mismatch-heap=on heap: ByteBuffer.mismatch",
      "unsafe-longs=off heap: Unsafe at addresses, a long at a time",
      "netty=off heap: Netty's ByteBufUtil.compare"
    })
@Subset(quick = "keys=equal")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CompareBenchmark {
  private static final int LENGTH = 135;
  private static final long SEED = 42;

  /** What compares. */
  @Param({
    "bytes",
    "arrays",
    "byte-buffer-utils",
    "byte-buffer-utils-array",
    "mismatch",
    "mismatch-heap",
    "unsafe-longs",
    "netty"
  })
  public String comparison;

  /** Equal, or different in the last byte. */
  @Param({"equal", "last-byte"})
  public String keys;

  private IntSupplier compare;

  /** Makes the keys, and makes sure that the answer is right. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    byte[] left = new byte[LENGTH];
    new Random(SEED).nextBytes(left);
    byte[] right = left.clone();
    // The sign bit: a signed comparison would have it the other way round.
    left[LENGTH - 1] = 1;
    right[LENGTH - 1] = keys.equals("equal") ? 1 : (byte) 0x81;
    compare = Comparisons.of(comparison, left, right);
    if (Integer.signum(compare()) != (keys.equals("equal") ? 0 : -1)) {
      throw new IllegalStateException(comparison + " gives the wrong answer: " + compare());
    }
  }

  /** Compares them. */
  @Benchmark
  public int compare() {
    return compare.getAsInt();
  }
}
