package org.fastpath.checksum;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.hadoop.util.LibhadoopCrc;

/**
 * Computes chunked CRCs by Hadoop's native library. The library takes heap arrays, and direct
 * buffers with direct checksums. It has no entry point for multi-part, mixed and read-only heap
 * buffers. Those, and ranges out of bounds, go to the {@link JdkChunkedCrc}. It throws the right
 * exception for a wrong offset; libhadoop checks no bounds.
 */
final class HadoopNativeChunkedCrc implements ChunkedCrc {
  static final String NAME = "hadoop-native";

  private final int algorithm;
  private final ChunkedCrc jdk;

  HadoopNativeChunkedCrc(CrcAlgorithm algorithm, ChunkedCrc jdk) {
    this.algorithm = algorithm.hadoopId();
    this.jdk = jdk;
  }

  @Override
  public String provider() {
    return NAME;
  }

  @Override
  public int verify(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    return fits(chunk, off, len, data.length, sumsOff, sums.length)
        ? LibhadoopCrc.verify(chunk, algorithm, data, off, len, sums, sumsOff)
        : jdk.verify(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    Objects.checkFromIndexSize(off, len, data.limit());
    if (!fits(chunk, off, len, data.limit(), sumsOff, sums.limit())) {
      return jdk.verify(chunk, data, off, len, sums, sumsOff);
    }
    if (data.isDirect() && sums.isDirect()) {
      return LibhadoopCrc.verify(chunk, algorithm, data, off, len, sums, sumsOff);
    }
    if (data.hasArray() && sums.hasArray()) {
      int dataAt = data.arrayOffset() + off;
      int sumsAt = sums.arrayOffset() + sumsOff;
      return LibhadoopCrc.verify(chunk, algorithm, data.array(), dataAt, len, sums.array(), sumsAt);
    }
    return jdk.verify(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer[] parts, int off, int len, int sumsOff) {
    return jdk.verify(chunk, parts, off, len, sumsOff);
  }

  @Override
  public void compute(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    if (fits(chunk, off, len, data.length, sumsOff, sums.length)) {
      LibhadoopCrc.compute(chunk, algorithm, data, off, len, sums, sumsOff);
    } else {
      jdk.compute(chunk, data, off, len, sums, sumsOff);
    }
  }

  @Override
  public void compute(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    boolean fits = !sums.isReadOnly() && fits(chunk, off, len, data.limit(), sumsOff, sums.limit());
    if (fits && data.isDirect() && sums.isDirect()) {
      LibhadoopCrc.compute(chunk, algorithm, data, off, len, sums, sumsOff);
    } else if (fits && data.hasArray() && sums.hasArray()) {
      int dataAt = data.arrayOffset() + off;
      int sumsAt = sums.arrayOffset() + sumsOff;
      LibhadoopCrc.compute(chunk, algorithm, data.array(), dataAt, len, sums.array(), sumsAt);
    } else {
      jdk.compute(chunk, data, off, len, sums, sumsOff);
    }
  }

  @Override
  public void compute(
      int chunk, ByteBuffer[] parts, int off, int len, ByteBuffer sums, int sumsOff) {
    jdk.compute(chunk, parts, off, len, sums, sumsOff);
  }

  private static boolean fits(
      int chunk, int off, int len, int dataLimit, int sumsOff, int sumsLimit) {
    return off >= 0
        && len >= 0
        && off <= dataLimit - len
        && sumsOff >= 0
        && sumsOff <= sumsLimit - ChunkedCrc.sumsLength(len, chunk);
  }
}
