package org.fastpath.bench.jmh.checksum;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures Hadoop's {@link DataChecksum}, the entry point for the DFS client, the DataNode and
 * HBase. The object is created once, like in a block reader or a packet receiver.
 *
 * <p>{@code bin/fastpath bench DataChecksum --rounds 3}
 */
@Sides.Subset(
    standard = "size=65536",
    quick = {"algorithm=CRC32C", "chunk=16384", "buffer=direct"})
public class DataChecksumBenchmark extends ChecksumBenchmark {
  private static final String FILE = "benchmark";

  /** The memory of data and checksums. */
  @Param({"heap", "direct"})
  public String buffer;

  private DataChecksum checksum;
  private ByteBuffer data;
  private ByteBuffer sums;
  private ByteBuffer generated;

  /** Writes data and right checksums, and checks that a wrong checksum is detected. */
  @Setup
  public void setUp() throws ChecksumException {
    World.confirmCurrent();
    checksum = DataChecksum.newDataChecksum(DataChecksum.Type.valueOf(algorithm), chunk);
    data = buffers(buffer, randomBytes(size)).get(0);
    sums = buffers(buffer, new byte[sumsLength()]).get(0);
    generated = buffers(buffer, new byte[sumsLength()]).get(0);
    checksum.calculateChunkedSums(data, sums);
    verify();
    requireMismatchFound();
  }

  private void requireMismatchFound() {
    data.put(0, (byte) ~data.get(0));
    try {
      verify();
    } catch (ChecksumException expected) {
      data.put(0, (byte) ~data.get(0));
      return;
    }
    throw new IllegalStateException("the checksum does not detect a wrong byte");
  }

  /** Compares every chunk with its checksum. */
  @Benchmark
  public void verify() throws ChecksumException {
    checksum.verifyChunkedSums(data, sums, FILE, 0);
  }

  /** Writes a checksum for every chunk. */
  @Benchmark
  public ByteBuffer generate() {
    checksum.calculateChunkedSums(data, generated);
    return generated;
  }
}
