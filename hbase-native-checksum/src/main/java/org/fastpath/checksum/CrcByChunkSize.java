package org.fastpath.checksum;

import java.nio.ByteBuffer;

/**
 * Computes short chunks by one provider, and long or few chunks by another one. The first one is
 * fast because it computes three at once.
 */
final class CrcByChunkSize implements ChunkedCrc {
  private final int firstLong;
  private final ChunkedCrc shorts;
  private final ChunkedCrc longs;

  /**
   * Joins two providers of the same algorithm.
   *
   * @param firstLong the length in bytes of the shortest long chunk
   * @param shorts computes three or more chunks that are shorter
   * @param longs computes all others
   */
  CrcByChunkSize(int firstLong, ChunkedCrc shorts, ChunkedCrc longs) {
    this.firstLong = firstLong;
    this.shorts = shorts;
    this.longs = longs;
  }

  private ChunkedCrc of(int chunk, int len) {
    return chunk < firstLong && len > 2L * chunk ? shorts : longs;
  }

  @Override
  public String provider() {
    return shorts.provider() + " below " + firstLong + " B, else " + longs.provider();
  }

  @Override
  public int verify(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    return of(chunk, len).verify(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    return of(chunk, len).verify(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer[] parts, int off, int len, int sumsOff) {
    return of(chunk, len).verify(chunk, parts, off, len, sumsOff);
  }

  @Override
  public void compute(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    of(chunk, len).compute(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public void compute(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    of(chunk, len).compute(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public void compute(
      int chunk, ByteBuffer[] parts, int off, int len, ByteBuffer sums, int sumsOff) {
    of(chunk, len).compute(chunk, parts, off, len, sums, sumsOff);
  }
}
