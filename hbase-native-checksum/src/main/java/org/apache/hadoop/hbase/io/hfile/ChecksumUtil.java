package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.fastpath.checksum.ChecksumEngine;
import org.fastpath.checksum.ChecksumFeatures;
import org.fastpath.checksum.ChecksumMetrics;
import org.fastpath.checksum.ChunkedCrc;
import org.fastpath.checksum.CrcAlgorithm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A patch of HBase's class of this name. It generates the checksums of an HFile block at writing
 * and verifies them at reading. Verification reads the block in place, in one buffer or several,
 * without a copy or an object per block. Upstream copies a multi-part block 256 bytes at a time
 * (HBASE-21917).
 *
 * <p>Results, exceptions and trace messages are those of the stock class, with one exception. If
 * the header leaves too little room for the checksums, the result is a mismatch. HBase then reads
 * the block again with HDFS's verification. The stock class reads past the checksums or throws,
 * depending on the kind of buffer.
 */
@InterfaceAudience.Private
public class ChecksumUtil {
  public static final Logger LOG = LoggerFactory.getLogger(ChecksumUtil.class);

  /** Upstream's size of a copy; nothing here copies. */
  public static final int CHECKSUM_BUF_SIZE = 256;

  private static final boolean VERIFIED = ChecksumFeatures.checkHBase(VersionInfo.getVersion());

  static {
    if (!VERIFIED) {
      ChecksumMetrics.patchStaysStock();
    }
  }

  /**
   * Computes the checksums of {@code indata} from {@code startOffset} to {@code endOffset} into
   * {@code outdata}.
   *
   * @param bytesPerChecksum bytes of data per checksum
   */
  static void generateChecksums(
      byte[] indata,
      int startOffset,
      int endOffset,
      byte[] outdata,
      int outOffset,
      ChecksumType checksumType,
      int bytesPerChecksum)
      throws IOException {
    if (checksumType == ChecksumType.NULL) {
      return;
    }
    int length = endOffset - startOffset;
    // Stock wraps both ranges first, so a wrong offset gets the exceptions of wrap.
    ByteBuffer.wrap(indata, startOffset, length);
    ByteBuffer.wrap(outdata, outOffset, outdata.length - outOffset);
    checkChunk(checksumType, bytesPerChecksum);
    CrcAlgorithm algorithm = algorithm(checksumType.getCode());
    crc(algorithm).compute(bytesPerChecksum, indata, startOffset, length, outdata, outOffset);
    ChecksumMetrics.generated(algorithm, length, bytesPerChecksum);
  }

  /**
   * Verifies a block.
   *
   * @param buf header, data and checksums of the block, from index 0 to its limit; not changed
   * @param pathName the HFile, for the log
   * @param offset the block's offset in it, for the log
   * @param hdrSize the header's size, for the log
   * @return whether every chunk matches its checksum, or the block has none
   */
  static boolean validateChecksum(ByteBuff buf, String pathName, long offset, int hdrSize) {
    byte code = buf.get(HFileBlock.Header.CHECKSUM_TYPE_INDEX);
    if (code == ChecksumType.NULL.getCode()) {
      return true;
    }
    CrcAlgorithm algorithm = algorithm(code);
    int chunk = buf.getInt(HFileBlock.Header.BYTES_PER_CHECKSUM_INDEX);
    int dataLength = buf.getInt(HFileBlock.Header.ON_DISK_DATA_SIZE_WITH_HEADER_INDEX);
    if (LOG.isTraceEnabled()) {
      LOG.trace(
          "dataLength={}, sizeWithHeader={}, checksumType={}, file={}, "
              + "offset={}, headerSize={}, bytesPerChecksum={}",
          buf.capacity(),
          dataLength,
          ChecksumType.codeToType(code).getName(),
          pathName,
          offset,
          hdrSize,
          chunk);
    }
    if (chunk <= 0 || dataLength < 0 || dataLength > buf.limit()) {
      refuse(buf, code, chunk, dataLength);
    }
    if (ChunkedCrc.sumsLength(dataLength, chunk) > buf.limit() - dataLength) {
      ChecksumMetrics.fallback();
      return false;
    }
    ChunkedCrc crc = crc(algorithm);
    int bad =
        buf instanceof SingleByteBuff
            ? firstBad(crc, chunk, buf.nioByteBuffers()[0], dataLength)
            : firstBad(crc, chunk, buf, dataLength, pathName);
    ChecksumMetrics.verified(algorithm, dataLength, chunk, bad);
    if (bad != ChunkedCrc.ALL_MATCH) {
      ChecksumMetrics.fallback();
      return false;
    }
    return true;
  }

  private static int firstBad(ChunkedCrc crc, int chunk, ByteBuffer block, int dataLength) {
    return crc.verify(chunk, block, 0, dataLength, block, dataLength);
  }

  private static int firstBad(
      ChunkedCrc crc, int chunk, ByteBuff block, int dataLength, String pathName) {
    ByteBuffer[] parts = block.nioByteBuffers();
    int bad = crc.verify(chunk, parts, 0, dataLength, dataLength);
    if (bad != ChunkedCrc.ALL_MATCH && LOG.isTraceEnabled()) {
      ByteBuffer computed = ByteBuffer.allocate(ChunkedCrc.SUM_BYTES);
      crc.compute(chunk, parts, bad, Math.min(chunk, dataLength - bad), computed, 0);
      int stored = block.getInt(dataLength + bad / chunk * ChunkedCrc.SUM_BYTES);
      LOG.trace(
          "Checksum error: {} at {} expected: {} got: {}",
          pathName,
          (long) bad,
          stored,
          computed.getInt(0));
    }
    return bad;
  }

  /** Throws for a damaged header the exception that the same step of the stock class throws. */
  private static void refuse(ByteBuff buf, byte code, int chunk, int dataLength) {
    buf.duplicate().position(0).limit(dataLength);
    buf.duplicate().position(dataLength).limit(buf.limit());
    checkChunk(ChecksumType.codeToType(code), chunk);
    throw new IllegalArgumentException(
        "block of " + buf.limit() + " bytes cannot hold " + dataLength + " bytes of data");
  }

  private static void checkChunk(ChecksumType type, int bytesPerChecksum) {
    // Stock gets no DataChecksum for such a size and throws a NullPointerException.
    if (bytesPerChecksum <= 0) {
      throw new NullPointerException(
          "no DataChecksum of " + type + " with " + bytesPerChecksum + " bytes per checksum");
    }
  }

  private static CrcAlgorithm algorithm(byte code) {
    if (code == ChecksumType.CRC32C.getCode()) {
      return CrcAlgorithm.CRC32C;
    }
    if (code == ChecksumType.CRC32.getCode()) {
      return CrcAlgorithm.CRC32;
    }
    ChecksumType.codeToType(code);
    throw new IllegalStateException("checksum type code " + code + " has no algorithm");
  }

  private static ChunkedCrc crc(CrcAlgorithm algorithm) {
    return VERIFIED ? ChecksumEngine.of(algorithm) : ChecksumEngine.plain(algorithm);
  }

  /** Returns the bytes that the checksums of {@code datasize} bytes take. */
  static long numBytes(long datasize, int bytesPerChecksum) {
    return numChunks(datasize, bytesPerChecksum) * HFileBlock.CHECKSUM_SIZE;
  }

  /** Returns the number of chunks, and so of checksums, of {@code datasize} bytes. */
  static long numChunks(long datasize, int bytesPerChecksum) {
    long whole = datasize / bytesPerChecksum;
    return datasize % bytesPerChecksum == 0 ? whole : whole + 1;
  }

  /** A switch of upstream's own tests. Upstream stores it and never reads it. */
  public static void generateExceptionForChecksumFailureForTest(boolean value) {}
}
