package org.fastpath.bench.jmh.checksum;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The common parameters of all checksum benchmarks. One operation processes {@code size} bytes. */
@Sides.Worlds({
  World.STOCK_NATIVE,
  World.STOCK_JAVA,
  World.OURS_AUTO,
  World.OURS_JDK,
  World.OURS_HADOOP_NATIVE,
  World.OURS_NOLIB
})
@Sides.Rivals("checksum.JdkChunksBenchmark.update")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class ChecksumBenchmark {
  private static final long SEED = 42;

  @Param({"CRC32C", "CRC32"})
  public String algorithm;

  /** 64 KiB is HBase's default block; larger blocks and HDFS packets reach 1 MiB. */
  @Param({"4096", "65536", "131072", "1048576"})
  public int size;

  /** 512 is HDFS's default, 16384 HBase's. */
  @Param({"512", "16384"})
  public int chunk;

  /** Returns the same bytes in every world. */
  static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(SEED).nextBytes(bytes);
    return bytes;
  }

  /** Returns the bytes of the CRCs of all chunks. */
  final int sumsLength() {
    return (size + chunk - 1) / chunk * Integer.BYTES;
  }

  /**
   * Copies bytes to one buffer on or off the heap, or to several direct ones. HBase reads a block
   * into several buffers if it is larger than those of its pool, 65 KB.
   */
  static List<ByteBuffer> buffers(String layout, byte[] bytes) {
    return switch (layout) {
      case "heap" -> List.of(ByteBuffer.wrap(bytes));
      case "direct" -> cut(bytes, 1);
      case "2-part" -> cut(bytes, 2);
      case "17-part" -> cut(bytes, 17);
      default ->
          throw new IllegalArgumentException(
              "buffer is heap, direct, 2-part or 17-part, not " + layout);
    };
  }

  /** Cuts at odd offsets, so chunks cross from part to part and no part begins aligned. */
  private static List<ByteBuffer> cut(byte[] bytes, int parts) {
    List<ByteBuffer> buffers = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= parts; i++) {
      int end = i == parts ? bytes.length : (int) ((long) bytes.length * i / parts) | 1;
      buffers.add(ByteBuffer.allocateDirect(end - start).put(bytes, start, end - start).flip());
      start = end;
    }
    return buffers;
  }
}
