package org.fastpath.bench.story;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.fastpath.bench.Sides;
import org.fastpath.bench.World;
import org.fastpath.bench.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Reads numbers from memory. {@link #record} is the story's: a long, an int and a short of 14
 * bytes; the others read 4 KB from beginning to end, as a seek in a block does.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar BufferReadBenchmark --rounds 6 --out reads.json --report reads.html
 * </pre>
 */
@Worlds(World.STOCK_JAVA)
@Sides(
    param = "memory",
    candidate = "nio-direct",
    since = "memory-segment=" + Foreign.SINCE,
    legend = {
      "netty=Netty's direct ByteBuf, as HBase relocates it",
      "netty-unsafe=Unsafe at the address of a ByteBuf",
      "nio-direct=a direct ByteBuffer",
      "nio-heap=a ByteBuffer over an array",
      "nio-unsafe=HBase's ByteBufferUtils: Unsafe behind a direct ByteBuffer",
      "var-handle=a view of a direct ByteBuffer, bounds checked",
      "unsafe=Unsafe at an address that is known",
      "single-byte-buff=HBase's SingleByteBuff",
      "multi-byte-buff=HBase's MultiByteBuff of two parts",
      "memory-segment=java.lang.foreign.MemorySegment, bounds checked"
    })
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class BufferReadBenchmark {
  private static final int SIZE = 4096;
  private static final int RECORD = 14;
  private static final int INT_AT = 8;
  private static final int SHORT_AT = 12;
  private static final long SEED = 42;

  /** What is read from. */
  @Param({
    "netty",
    "netty-unsafe",
    "nio-direct",
    "nio-heap",
    "nio-unsafe",
    "var-handle",
    "unsafe",
    "single-byte-buff",
    "multi-byte-buff",
    "memory-segment"
  })
  public String memory;

  private Memory header;
  private Memory block;

  /** Fills the memory, and makes sure that it reads back what was written. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    byte[] bytes = new byte[SIZE];
    new Random(SEED).nextBytes(bytes);
    header =
        Memories.of(
            memory,
            ByteBuffer.allocate(RECORD).putLong(1234).putInt(100).putShort((short) 75).array());
    block = Memories.of(memory, bytes);
    if (record() != 1234 + 100 + 75 || longs() != longs(bytes)) {
      throw new IllegalStateException(memory + " reads something else than was written");
    }
  }

  private static long longs(byte[] bytes) {
    long sum = 0;
    for (ByteBuffer in = ByteBuffer.wrap(bytes); in.hasRemaining(); ) {
      sum += in.getLong();
    }
    return sum;
  }

  /** A long, an int and a short at places that do not change. */
  @Benchmark
  public long record() {
    return header.longAt(0) + header.intAt(INT_AT) + header.shortAt(SHORT_AT);
  }

  /** Longs, one after the other. */
  @Benchmark
  @OperationsPerInvocation(SIZE / Long.BYTES)
  public long longs() {
    long sum = 0;
    for (int at = 0; at < SIZE; at += Long.BYTES) {
      sum += block.longAt(at);
    }
    return sum;
  }

  /** Ints, one after the other. */
  @Benchmark
  @OperationsPerInvocation(SIZE / Integer.BYTES)
  public long ints() {
    long sum = 0;
    for (int at = 0; at < SIZE; at += Integer.BYTES) {
      sum += block.intAt(at);
    }
    return sum;
  }

  /** Bytes, one after the other. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public long bytes() {
    long sum = 0;
    for (int at = 0; at < SIZE; at++) {
      sum += block.byteAt(at);
    }
    return sum;
  }
}
