package org.fastpath.bench.jmh.checksum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.jmh.Sides;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures HBase's check of a block that it has just read: {@code ChecksumUtil.validateChecksum} on
 * a {@link ByteBuff} of one part or several.
 *
 * <p>{@code bin/fastpath bench HFileBlockBenchmark --rounds 3}
 */
@Sides.Subset(
    standard = {"size=65536", "buffer=2-part,17-part"},
    quick = {"algorithm=CRC32C", "chunk=16384", "buffer=2-part"})
public class HFileBlockBenchmark extends ChecksumBenchmark {
  private static final String FILE = "benchmark";
  private static final int HEADER_SIZE = HConstants.HFILEBLOCK_HEADER_SIZE;

  /** One part on or off heap, or several direct parts. */
  @Param({"heap", "direct", "2-part", "17-part"})
  public String buffer;

  private ByteBuff block;

  /** Writes a valid block, and checks that an invalid one is detected. */
  @Setup
  public void setUp() throws IOException {
    World.confirmCurrent();
    List<ByteBuffer> parts = buffers(buffer, block(ChecksumType.valueOf(algorithm)));
    block = ByteBuff.wrap(parts);
    require(validate());
    ByteBuffer last = parts.get(parts.size() - 1);
    int end = last.limit() - 1;
    last.put(end, (byte) ~last.get(end));
    require(!validate());
    last.put(end, (byte) ~last.get(end));
  }

  /**
   * Returns a data block of an HFile, version 3, with {@code size} bytes of header and data:
   *
   * <pre>
   *  0        8        12       16       24     25        29        33            size
   * +--------+--------+--------+--------+------+---------+---------+-------------+-----------+
   * | magic  | on-disk| uncom- | prev.  | check| bytes   | header  | data        | checksums |
   * |        | size w/o header | offset | type | /chunk  | + data  |             | 4 B/chunk |
   * +--------+--------+--------+--------+------+---------+---------+-------------+-----------+
   *  |------------------------------ checksummed -----------------------------|
   * </pre>
   */
  private byte[] block(ChecksumType type) throws IOException {
    byte[] sums = new byte[sumsLength()];
    byte[] checked = randomBytes(size);
    ByteBuffer header = ByteBuffer.wrap(checked);
    BlockType.DATA.write(header);
    header
        .putInt(size - HEADER_SIZE + sums.length)
        .putInt(size - HEADER_SIZE)
        .putLong(-1)
        .put(type.getCode())
        .putInt(chunk)
        .putInt(size);
    ChecksumUtilAccess.generate(checked, size, sums, type, chunk);
    return ByteBuffer.allocate(size + sums.length).put(checked).put(sums).array();
  }

  private static void require(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("validateChecksum returned the wrong result");
    }
  }

  /** Compares every chunk of the block with its checksum. */
  @Benchmark
  public boolean validate() {
    return ChecksumUtilAccess.validate(block, FILE, 0, HEADER_SIZE);
  }
}
