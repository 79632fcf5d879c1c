package org.fastpath.bench.jmh.checksum;

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Rivals;
import org.fastpath.bench.jmh.Subset;
import org.fastpath.bench.jmh.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures HBase's checksums of a block before it is written: {@code
 * ChecksumUtil.generateChecksums}, always on the heap.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar HFileBlockWriter --rounds 3 --out results.json
 * </pre>
 */
@Worlds({
  World.STOCK_NATIVE,
  World.STOCK_JAVA,
  World.OURS_AUTO,
  World.OURS_JDK,
  World.OURS_HADOOP_NATIVE,
  World.OURS_NOLIB
})
@Rivals({"checksum.JdkChunksBenchmark.update", "checksum.JdkWholeBenchmark.update"})
@Subset(
    standard = {"size=65536", "chunk=16384"},
    quick = "algorithm=CRC32C")
public class HFileBlockWriterBenchmark extends ChecksumBenchmark {
  /** 16384 is HBase's default. */
  @Param({"512", "16384"})
  public int chunk;

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
    sums = new byte[sumsLength(size, chunk)];
  }

  /** Writes a checksum for every chunk. */
  @Benchmark
  public byte[] generate() throws IOException {
    ChecksumUtilAccess.generate(data, size, sums, type, chunk);
    return sums;
  }
}
