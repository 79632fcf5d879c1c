package org.fastpath.bench.jmh.checksum;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * The bytes of a data block in an HFile, version 3:
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
final class HFileBlock {
  static final int HEADER_SIZE = HConstants.HFILEBLOCK_HEADER_SIZE;

  private HFileBlock() {}

  /** Returns a block with {@code size} bytes of header and data, followed by its checksums. */
  static byte[] bytes(ChecksumType type, int chunk, int size) throws IOException {
    byte[] sums = new byte[ChecksumBenchmark.sumsLength(size, chunk)];
    byte[] checked = ChecksumBenchmark.randomBytes(size);
    putHeader(ByteBuffer.wrap(checked), type, chunk, sums.length);
    ChecksumUtilAccess.generate(checked, size, sums, type, chunk);
    return ByteBuffer.allocate(size + sums.length).put(checked).put(sums).array();
  }

  private static void putHeader(ByteBuffer block, ChecksumType type, int chunk, int sumsLength) {
    int size = block.capacity();
    BlockType.DATA.write(block);
    block
        .putInt(size - HEADER_SIZE + sumsLength)
        .putInt(size - HEADER_SIZE)
        .putLong(-1)
        .put(type.getCode())
        .putInt(chunk)
        .putInt(size);
  }
}
