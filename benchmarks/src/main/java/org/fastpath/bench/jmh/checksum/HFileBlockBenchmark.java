package org.fastpath.bench.jmh.checksum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Rivals;
import org.fastpath.bench.jmh.Subset;
import org.fastpath.bench.jmh.Worlds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures HBase's check of a block that it has just read: {@code ChecksumUtil.validateChecksum} on
 * a {@link ByteBuff} of one part or several.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar HFileBlockBenchmark --rounds 3 --out results.json
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
    standard = {"size=65536", "buffer=2-part,17-part"},
    quick = {"algorithm=CRC32C", "chunk=16384", "buffer=2-part"})
public class HFileBlockBenchmark extends ChecksumBenchmark {
  private static final String FILE = "benchmark";

  /** 16384 is HBase's default. */
  @Param({"512", "16384"})
  public int chunk;

  /** One part on or off heap, or several direct parts. */
  @Param({"heap", "direct", "2-part", "17-part"})
  public String buffer;

  private ByteBuff block;

  /** Writes a valid block, and checks that an invalid one is detected. */
  @Setup
  public void setUp() throws IOException {
    World.confirmCurrent();
    byte[] bytes = HFileBlock.bytes(ChecksumType.valueOf(algorithm), chunk, size);
    List<ByteBuffer> parts = Buffers.of(buffer, bytes);
    block = ByteBuff.wrap(parts);
    require(validate());
    ByteBuffer last = parts.get(parts.size() - 1);
    int end = last.limit() - 1;
    last.put(end, (byte) ~last.get(end));
    require(!validate());
    last.put(end, (byte) ~last.get(end));
  }

  private static void require(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("validateChecksum returned the wrong result");
    }
  }

  /** Compares every chunk of the block with its checksum. */
  @Benchmark
  public boolean validate() {
    return ChecksumUtilAccess.validate(block, FILE, 0, HFileBlock.HEADER_SIZE);
  }
}
