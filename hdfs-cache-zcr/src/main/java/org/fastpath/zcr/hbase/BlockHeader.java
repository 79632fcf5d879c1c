package org.fastpath.zcr.hbase;

import java.io.IOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * The header of an HFile block that has HBase's checksums. Numbers are big-endian. The drawing
 * defines the sizes; HBase defines the other fields.
 *
 * <pre>
 *    0        8          12             16         24         25           29             33
 *   +--------+----------+--------------+----------+----------+------------+--------------+
 *   | magic  | size     | uncompressed | previous | checksum | bytes per  | size of      |
 *   | 8      | 4        | size 4       | offset 8 | type 1   | checksum 4 | data 4       |
 *   +--------+----------+--------------+----------+----------+------------+--------------+
 *
 *   +--------+------------------------+-----------+--------+---
 *   | header | data                   | checksums | header | ... of the next block
 *   +--------+------------------------+-----------+--------+---
 *   |        |&lt;-------- size --------------------&gt;|
 *   |&lt;------ size of data -----------&gt;|
 * </pre>
 *
 * @param dataSizeWithHeader bytes of header and data, which the checksums cover
 */
record BlockHeader(
    BlockType type,
    int sizeWithoutHeader,
    int uncompressedSizeWithoutHeader,
    long previousOffset,
    ChecksumType checksumType,
    int bytesPerChecksum,
    int dataSizeWithHeader) {
  static final int LENGTH = HConstants.HFILEBLOCK_HEADER_SIZE;
  static final int CHECKSUM_LENGTH = Integer.BYTES;

  private static final int SIZE = 8;
  private static final int UNCOMPRESSED_SIZE = 12;
  private static final int PREVIOUS_OFFSET = 16;
  private static final int CHECKSUM_TYPE = 24;
  private static final int BYTES_PER_CHECKSUM = 25;
  private static final int DATA_SIZE = 29;

  /**
   * Parses a header.
   *
   * @throws NotServedException if the bytes are not a header
   */
  static BlockHeader of(byte[] bytes) throws NotServedException {
    try {
      return new BlockHeader(
          BlockType.parse(bytes, 0, BlockType.MAGIC_LENGTH),
          Bytes.toInt(bytes, SIZE),
          Bytes.toInt(bytes, UNCOMPRESSED_SIZE),
          Bytes.toLong(bytes, PREVIOUS_OFFSET),
          ChecksumType.codeToType(bytes[CHECKSUM_TYPE]),
          Bytes.toInt(bytes, BYTES_PER_CHECKSUM),
          Bytes.toInt(bytes, DATA_SIZE));
    } catch (IOException | RuntimeException e) {
      throw StockRead.MALFORMED.exception();
    }
  }

  /**
   * Returns the size of a block with its header; an invalid header can give less than its length.
   */
  static int sizeIn(byte[] header) {
    return Bytes.toInt(header, SIZE) + LENGTH;
  }

  /** Returns the number of checksums. */
  int checksums() {
    return (dataSizeWithHeader - 1) / bytesPerChecksum + 1;
  }

  /**
   * Fails unless this is the header of an uncompressed data block of the given size. Its numbers
   * are trusted only after the checksums have been verified. Until then, this check keeps every
   * access inside the block.
   */
  void require(BlockType expected, int size) throws NotServedException {
    if (!type.isData()) {
      throw StockRead.NOT_DATA.exception();
    }
    boolean fits =
        type == expected
            && sizeWithoutHeader == size - LENGTH
            && dataSizeWithHeader > LENGTH
            && dataSizeWithHeader <= size
            && uncompressedSizeWithoutHeader == dataSizeWithHeader - LENGTH
            && bytesPerChecksum > 0
            && checksums() <= (size - dataSizeWithHeader) / CHECKSUM_LENGTH
            && checksums() * CHECKSUM_LENGTH == size - dataSizeWithHeader;
    if (!fits) {
      throw StockRead.MALFORMED.exception();
    }
  }
}
