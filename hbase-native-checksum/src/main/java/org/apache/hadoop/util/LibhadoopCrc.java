package org.apache.hadoop.util;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ChecksumException;
import org.fastpath.checksum.ChunkedCrc;

/**
 * Calls libhadoop's entry points, which are bound to the class {@link NativeCrc32} and visible in
 * this package only. It checks nothing: an offset outside a buffer reads or writes outside its
 * memory. Offsets are absolute.
 */
public final class LibhadoopCrc {
  private LibhadoopCrc() {}

  /**
   * Returns the offset from {@code off} of the first chunk that does not match, or {@link
   * ChunkedCrc#ALL_MATCH}.
   */
  public static int verify(
      int chunk, int algorithm, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    try {
      NativeCrc32.nativeComputeChunkedSumsByteArray(
          chunk, algorithm, sums, sumsOff, data, off, len, "", 0, true);
      return ChunkedCrc.ALL_MATCH;
    } catch (ChecksumException e) {
      return (int) e.getPos();
    }
  }

  /** As for arrays; both buffers are direct. */
  public static int verify(
      int chunk, int algorithm, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    try {
      NativeCrc32.nativeComputeChunkedSums(
          chunk, algorithm, sums, sumsOff, data, off, len, "", 0, true);
      return ChunkedCrc.ALL_MATCH;
    } catch (ChecksumException e) {
      return (int) e.getPos();
    }
  }

  /** Computes the checksums of an array. */
  public static void compute(
      int chunk, int algorithm, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    try {
      NativeCrc32.nativeComputeChunkedSumsByteArray(
          chunk, algorithm, sums, sumsOff, data, off, len, "", 0, false);
    } catch (ChecksumException e) {
      throw new AssertionError("computing compares nothing", e);
    }
  }

  /** As for arrays; both buffers are direct, {@code sums} is writable. */
  public static void compute(
      int chunk, int algorithm, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    try {
      NativeCrc32.nativeComputeChunkedSums(
          chunk, algorithm, sums, sumsOff, data, off, len, "", 0, false);
    } catch (ChecksumException e) {
      throw new AssertionError("computing compares nothing", e);
    }
  }
}
