package org.fastpath.zcr.hbase;

import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * Verifies HBase's checksums of a block in a mapping.
 *
 * <p>It copies the bytes first, in pieces that fit into the processor's cache. Checksums are
 * computed by intrinsics of the JVM or by libhadoop. If the replica is truncated while that code
 * reads the mapping, the process dies. A copy detects the truncation instead.
 */
final class BlockChecksums {
  private static final int PIECE = 16 << 10;

  private BlockChecksums() {}

  /**
   * Verifies a block whose header {@linkplain BlockHeader#require fits}.
   *
   * @throws NotServedException if a checksum does not match or the replica was truncated
   */
  static void verify(MappedRange block, BlockHeader header) throws NotServedException {
    verify(block::copy, header);
  }

  /** Verifies a copy of a block whose header fits. */
  static void verify(byte[] block, BlockHeader header) throws NotServedException {
    verify(
        (from, target, index, count) -> System.arraycopy(block, from, target, index, count),
        header);
  }

  /** Copies bytes of a block. */
  @FunctionalInterface
  private interface Copy {
    void copy(int from, byte[] target, int index, int count) throws NotServedException;
  }

  private static void verify(Copy block, BlockHeader header) throws NotServedException {
    Checksum checksum = checksum(header.checksumType());
    if (checksum == null) {
      return;
    }
    byte[] stored = new byte[header.checksums() * BlockHeader.CHECKSUM_LENGTH];
    block.copy(header.dataSizeWithHeader(), stored, 0, stored.length);
    byte[] piece = new byte[Math.min(PIECE, header.bytesPerChecksum())];
    for (int i = 0; i < header.checksums(); i++) {
      int start = i * header.bytesPerChecksum();
      int end = Math.min(header.bytesPerChecksum(), header.dataSizeWithHeader() - start) + start;
      checksum.reset();
      for (int at = start; at < end; at += piece.length) {
        int length = Math.min(piece.length, end - at);
        block.copy(at, piece, 0, length);
        checksum.update(piece, 0, length);
      }
      if ((int) checksum.getValue() != Bytes.toInt(stored, i * BlockHeader.CHECKSUM_LENGTH)) {
        throw StockRead.MISMATCH.exception();
      }
    }
  }

  /** Returns the algorithm, or null for blocks that are written without checksums. */
  private static Checksum checksum(ChecksumType type) {
    return switch (type) {
      case CRC32 -> new CRC32();
      case CRC32C -> new CRC32C();
      case NULL -> null;
    };
  }
}
