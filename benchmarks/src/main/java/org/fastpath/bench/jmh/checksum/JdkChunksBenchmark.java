package org.fastpath.bench.jmh.checksum;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A rival: {@code java.util.zip}, one call per chunk, or per piece of a chunk that crosses parts.
 * It neither reads nor writes a checksum, so this is the cost of the CRC itself.
 *
 * <p>{@code bin/fastpath bench JdkChunks --rounds 3}
 */
@Sides.Worlds(World.JDK)
@Sides.Rivals(
    value = {},
    summary = "java.util.zip, one call per chunk; no checksum is compared or stored")
@Sides.Subset(
    standard = "size=65536",
    quick = {"algorithm=CRC32C", "chunk=16384", "buffer=heap,direct,2-part"})
public class JdkChunksBenchmark extends ChecksumBenchmark {
  /** The values of the benchmarks that this one is compared with. */
  @Param({"heap", "direct", "2-part", "17-part"})
  public String buffer;

  private Checksum checksum;
  private List<ByteBuffer> parts;

  @Setup
  public void setUp() {
    checksum = algorithm.equals("CRC32C") ? new CRC32C() : new CRC32();
    parts = buffers(buffer, randomBytes(size));
  }

  /** Returns the checksums of all chunks, folded into one value. */
  @Benchmark
  public long update() {
    ByteBuffer first = parts.get(0);
    return first.hasArray() ? overArray(first.array()) : overParts();
  }

  private long overArray(byte[] data) {
    long folded = 0;
    for (int at = 0; at < data.length; at += chunk) {
      checksum.update(data, at, Math.min(chunk, data.length - at));
      folded ^= take();
    }
    return folded;
  }

  private long overParts() {
    long folded = 0;
    int missing = chunk;
    for (ByteBuffer part : parts) {
      int at = 0;
      while (at < part.capacity()) {
        int end = Math.min(part.capacity(), at + missing);
        checksum.update(part.limit(end).position(at));
        missing -= end - at;
        at = end;
        if (missing == 0) {
          folded ^= take();
          missing = chunk;
        }
      }
    }
    return missing == chunk ? folded : folded ^ take();
  }

  private long take() {
    long value = checksum.getValue();
    checksum.reset();
    return value;
  }
}
