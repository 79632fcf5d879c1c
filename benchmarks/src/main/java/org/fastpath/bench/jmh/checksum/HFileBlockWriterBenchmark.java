package org.fastpath.bench.jmh.checksum;

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures HBase's checksums of a block before it is written: {@code
 * ChecksumUtil.generateChecksums}, always on the heap.
 *
 * <p>{@code bin/fastpath bench HFileBlockWriter --rounds 3}
 */
@Sides.Subset(
    standard = {"size=65536", "chunk=16384"},
    quick = "algorithm=CRC32C")
public class HFileBlockWriterBenchmark extends ChecksumBenchmark {
  /** HBase writes a block from a byte array. */
  @Param("heap")
  public String buffer;

  private ChecksumType type;
  private byte[] data;
  private byte[] sums;

  /** Creates the data. */
  @Setup
  public void setUp() {
    World.confirmCurrent();
    type = ChecksumType.valueOf(algorithm);
    data = randomBytes(size);
    sums = new byte[sumsLength()];
  }

  /** Writes a checksum for every chunk. */
  @Benchmark
  public byte[] generate() throws IOException {
    ChecksumUtilAccess.generate(data, size, sums, type, chunk);
    return sums;
  }
}
