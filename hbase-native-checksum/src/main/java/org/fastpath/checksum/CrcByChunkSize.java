package org.fastpath.checksum;

import java.nio.ByteBuffer;

/** Computes short chunks by one provider and long chunks by another one. */
final class CrcByChunkSize implements ChunkedCrc {
  private final int firstLong;
  private final ChunkedCrc shorts;
  private final ChunkedCrc longs;

  /**
   * @param firstLong the length in bytes of the shortest long chunk
   */
  CrcByChunkSize(int firstLong, ChunkedCrc shorts, ChunkedCrc longs) {
    this.firstLong = firstLong;
    this.shorts = shorts;
    this.longs = longs;
  }

  private ChunkedCrc of(int chunk) {
    return chunk < firstLong ? shorts : longs;
  }

  @Override
  public String provider() {
    return shorts.provider() + " below " + firstLong + " B, else " + longs.provider();
  }

  @Override
  public int verify(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    return of(chunk).verify(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    return of(chunk).verify(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer[] parts, int off, int len, int sumsOff) {
    return of(chunk).verify(chunk, parts, off, len, sumsOff);
  }

  @Override
  public void compute(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    of(chunk).compute(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public void compute(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    of(chunk).compute(chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public void compute(
      int chunk, ByteBuffer[] parts, int off, int len, ByteBuffer sums, int sumsOff) {
    of(chunk).compute(chunk, parts, off, len, sums, sumsOff);
  }
}
