package org.apache.hadoop.util;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ChecksumException;
import org.fastpath.checksum.ChecksumEngine;
import org.fastpath.checksum.ChecksumMetrics;
import org.fastpath.checksum.ChunkedCrc;
import org.fastpath.checksum.CrcAlgorithm;
import org.fastpath.checksum.Mismatches;

/**
 * A patch of Hadoop's class of this name. {@link DataChecksum} calls it for native checksums, on
 * behalf of the DFS client, the DataNode and HBase. The patch passes the calls to the {@link
 * ChecksumEngine}, with or without libhadoop.
 *
 * <p>Signatures, results, argument checks and exceptions are those of the stock class. It differs
 * only where stock would fail. Heap, read-only and mixed buffers are accepted. Checksums outside
 * their buffer or array cause an exception, where libhadoop reads or writes past the end. Checksums
 * are never written into a read-only buffer.
 *
 * <p>On an unverified Hadoop version, {@link #isAvailable()} is false, and {@code DataChecksum}
 * uses its own Java code.
 */
class NativeCrc32 {
  // Upstream's constants, which its native header was made from.
  public static final int CHECKSUM_CRC32 = DataChecksum.CHECKSUM_CRC32;
  public static final int CHECKSUM_CRC32C = DataChecksum.CHECKSUM_CRC32C;

  /** Returns whether {@link DataChecksum} shall call this class: true on a verified version. */
  public static boolean isAvailable() {
    return ChecksumEngine.patchesHadoop();
  }

  /**
   * Verifies the data between position and limit against the checksums from their position on.
   * Neither buffer is changed.
   *
   * @throws ChecksumException at the first chunk that does not match
   */
  public static void verifyChunkedSums(
      int bytesPerSum,
      int checksumType,
      ByteBuffer sums,
      ByteBuffer data,
      String fileName,
      long basePos)
      throws ChecksumException {
    int sumsOffset = sums.position();
    int dataOffset = data.position();
    int dataLength = data.remaining();
    ChunkedCrc crc = checkedEngine(bytesPerSum, checksumType);
    int bad = crc.verify(bytesPerSum, data, dataOffset, dataLength, sums, sumsOffset);
    ChecksumMetrics.verified(algorithm(checksumType), dataLength, bytesPerSum, bad);
    if (bad != ChunkedCrc.ALL_MATCH) {
      ByteBuffer computed = ByteBuffer.allocate(ChunkedCrc.SUM_BYTES);
      int length = Math.min(bytesPerSum, dataLength - bad);
      crc.compute(bytesPerSum, data, dataOffset + bad, length, computed, 0);
      int at = sumsOffset + bad / bytesPerSum * ChunkedCrc.SUM_BYTES;
      int expected = sums.duplicate().getInt(at); // a duplicate is big endian, like checksums
      throw mismatch(checksumType, fileName, basePos + bad, expected, computed.getInt(0));
    }
  }

  /** As {@link #verifyChunkedSums}, for arrays. */
  public static void verifyChunkedSumsByteArray(
      int bytesPerSum,
      int checksumType,
      byte[] sums,
      int sumsOffset,
      byte[] data,
      int dataOffset,
      int dataLength,
      String fileName,
      long basePos)
      throws ChecksumException {
    checkArrays(sums, sumsOffset, data, dataOffset, dataLength);
    ChunkedCrc crc = checkedEngine(bytesPerSum, checksumType);
    int bad = crc.verify(bytesPerSum, data, dataOffset, dataLength, sums, sumsOffset);
    ChecksumMetrics.verified(algorithm(checksumType), dataLength, bytesPerSum, bad);
    if (bad != ChunkedCrc.ALL_MATCH) {
      ByteBuffer computed = ByteBuffer.allocate(ChunkedCrc.SUM_BYTES);
      int length = Math.min(bytesPerSum, dataLength - bad);
      crc.compute(bytesPerSum, data, dataOffset + bad, length, computed.array(), 0);
      int at = sumsOffset + bad / bytesPerSum * ChunkedCrc.SUM_BYTES;
      int expected = ByteBuffer.wrap(sums).getInt(at);
      throw mismatch(checksumType, fileName, basePos + bad, expected, computed.getInt(0));
    }
  }

  /**
   * Computes the checksums of the data between position and limit into {@code sums} from its
   * position on.
   */
  public static void calculateChunkedSums(
      int bytesPerSum, int checksumType, ByteBuffer sums, ByteBuffer data) {
    int sumsOffset = sums.position();
    int dataOffset = data.position();
    int dataLength = data.remaining();
    checkedEngine(bytesPerSum, checksumType)
        .compute(bytesPerSum, data, dataOffset, dataLength, sums, sumsOffset);
    ChecksumMetrics.generated(algorithm(checksumType), dataLength, bytesPerSum);
  }

  /** As {@link #calculateChunkedSums}, for arrays. */
  public static void calculateChunkedSumsByteArray(
      int bytesPerSum,
      int checksumType,
      byte[] sums,
      int sumsOffset,
      byte[] data,
      int dataOffset,
      int dataLength) {
    checkArrays(sums, sumsOffset, data, dataOffset, dataLength);
    checkedEngine(bytesPerSum, checksumType)
        .compute(bytesPerSum, data, dataOffset, dataLength, sums, sumsOffset);
    ChecksumMetrics.generated(algorithm(checksumType), dataLength, bytesPerSum);
  }

  private static CrcAlgorithm algorithm(int checksumType) {
    return checksumType == CHECKSUM_CRC32C ? CrcAlgorithm.CRC32C : CrcAlgorithm.CRC32;
  }

  /** Checks in the order of libhadoop and with its messages. */
  private static ChunkedCrc checkedEngine(int bytesPerSum, int checksumType) {
    if (bytesPerSum <= 0) {
      throw new IllegalArgumentException("invalid bytes_per_checksum");
    }
    ChunkedCrc crc = ChecksumEngine.ofHadoopId(checksumType);
    if (crc == null) {
      throw new IllegalArgumentException("Invalid checksum type");
    }
    return crc;
  }

  private static void checkArrays(
      byte[] sums, int sumsOffset, byte[] data, int dataOffset, int dataLength) {
    if (sums == null || data == null) {
      throw new NullPointerException("input byte arrays must not be null");
    }
    if (sumsOffset < 0 || dataOffset < 0 || dataLength < 0) {
      throw new IllegalArgumentException("bad offsets or lengths");
    }
  }

  private static ChecksumException mismatch(
      int type, String fileName, long position, int expected, int computed) {
    return Mismatches.exception(
        ChecksumEngine.libhadoop(), algorithm(type), fileName, position, expected, computed);
  }

  /**
   * The entry point of old versions, which libhadoop binds.
   *
   * @deprecated upstream's tests are its only caller
   */
  @Deprecated
  static native void nativeVerifyChunkedSums(
      int bytesPerSum,
      int checksumType,
      ByteBuffer sums,
      int sumsOffset,
      ByteBuffer data,
      int dataOffset,
      int dataLength,
      String fileName,
      long basePos)
      throws ChecksumException;

  // Private upstream. LibhadoopCrc calls them.

  static native void nativeComputeChunkedSums(
      int bytesPerSum,
      int checksumType,
      ByteBuffer sums,
      int sumsOffset,
      ByteBuffer data,
      int dataOffset,
      int dataLength,
      String fileName,
      long basePos,
      boolean verify)
      throws ChecksumException;

  static native void nativeComputeChunkedSumsByteArray(
      int bytesPerSum,
      int checksumType,
      byte[] sums,
      int sumsOffset,
      byte[] data,
      int dataOffset,
      int dataLength,
      String fileName,
      long basePos,
      boolean verify)
      throws ChecksumException;
}
