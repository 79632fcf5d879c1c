package org.fastpath.checksum;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Computes and verifies one CRC per chunk of data. HDFS keeps this layout in its {@code .meta}
 * files, HBase at the end of each HFile block.
 *
 * <pre>
 *   data   |  chunk 0 : n bytes  |  chunk 1 : n bytes  | ... |  last chunk : 1 to n bytes  |
 *   sums   | crc 0 | crc 1 | ... | crc last |          4 bytes each, big endian in memory
 * </pre>
 *
 * <p>An instance stands for one algorithm. Instances are stateless and thread-safe, also on the
 * same buffers. Every offset is absolute: positions, limits and marks of the caller's buffers are
 * neither used nor moved. No buffer is kept after a call. Nothing is copied, and nothing is
 * allocated in steady state.
 *
 * <p>Data is read chunk by chunk in order, and verification stops at the first mismatch. An offset
 * or length outside the data causes an {@link IndexOutOfBoundsException}. Room for too few
 * checksums causes an {@link ArrayIndexOutOfBoundsException} for arrays. For buffers it causes a
 * {@link BufferUnderflowException} (verify) or a {@link BufferOverflowException} (compute). As in
 * Hadoop's Java code, it is thrown at the first missing checksum. Callers ensure that {@code chunk}
 * is positive.
 */
public interface ChunkedCrc {
  /** The result of {@code verify} if every chunk matches. */
  int ALL_MATCH = -1;

  /** Bytes of one checksum. */
  int SUM_BYTES = Integer.BYTES;

  /**
   * Returns the provider's name as in {@code hbase.fastpath.checksum.provider}, or two names with
   * the length between them.
   */
  String provider();

  /**
   * Verifies a heap array; the offset from {@code off} of the first chunk that does not match, or
   * {@link #ALL_MATCH}.
   */
  int verify(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff);

  /**
   * Verifies a buffer of any kind (heap, direct, read-only); offsets are absolute, the result is
   * relative to {@code off}.
   */
  int verify(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff);

  /**
   * Verifies {@code len} bytes at offset {@code off} of the concatenation of {@code parts}, each
   * from index 0 to its limit. The checksums lie at offset {@code sumsOff} of the same
   * concatenation. Chunks and checksums may cross parts at any byte.
   */
  int verify(int chunk, ByteBuffer[] parts, int off, int len, int sumsOff);

  /** Computes the checksums of a heap array. */
  void compute(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff);

  /** Computes the checksums of a buffer of any kind; offsets are absolute. */
  void compute(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff);

  /**
   * Computes the checksums of a concatenation of parts, as in {@link #verify(int, ByteBuffer[],
   * int, int, int)}.
   */
  void compute(int chunk, ByteBuffer[] parts, int off, int len, ByteBuffer sums, int sumsOff);

  /** Returns the bytes that the checksums of {@code len} bytes of data take. */
  static long sumsLength(int len, int chunk) {
    return ((long) len + chunk - 1) / chunk * SUM_BYTES;
  }
}
