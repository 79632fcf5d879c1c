package org.fastpath.bench.jmh.checksum;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.Checksum;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Subset;
import org.fastpath.bench.jmh.Summary;
import org.fastpath.bench.jmh.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A rival: {@code java.util.zip}, one call over all bytes, or one per part. It is the fastest CRC
 * over bytes in this JVM. The work is smaller: one checksum instead of one per chunk.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar JdkWhole --rounds 3 --out results.json
 * </pre>
 */
@Worlds(World.JDK)
@Summary("java.util.zip, one call over all bytes")
@Subset(
    standard = "size=65536",
    quick = {"algorithm=CRC32C", "buffer=heap,direct,2-part"})
public class JdkWholeBenchmark extends ChecksumBenchmark {
  /** The values of the benchmarks that this one is compared with. */
  @Param({"heap", "direct", "2-part", "17-part"})
  public String buffer;

  private Checksum checksum;
  private List<ByteBuffer> parts;

  /** Creates the data. */
  @Setup
  public void setUp() {
    checksum = jdkChecksum();
    parts = Buffers.of(buffer, randomBytes(size));
  }

  /** Returns the checksum of all bytes. */
  @Benchmark
  public long update() {
    checksum.reset();
    ByteBuffer first = parts.get(0);
    if (first.hasArray()) {
      checksum.update(first.array(), 0, first.array().length);
    } else {
      overParts();
    }
    return checksum.getValue();
  }

  private void overParts() {
    for (ByteBuffer part : parts) {
      checksum.update(part.position(0));
    }
  }
}
