package org.fastpath.checksum;

import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/**
 * A CRC in progress: like {@link Checksum}, but with absolute offsets, so that no position has to
 * be moved. Not thread-safe.
 */
abstract class RunningCrc {
  /** Forgets all bytes. */
  abstract void reset();

  /**
   * Adds a range of an array.
   *
   * @throws ArrayIndexOutOfBoundsException as {@link Checksum#update(byte[], int, int)} does
   */
  abstract void update(byte[] data, int off, int len);

  /** Adds a range of a direct buffer. The caller has checked that it lies within the limit. */
  abstract void update(ByteBuffer data, int off, int len);

  abstract int value();

  /**
   * Uses the public methods of {@code java.util.zip}. They take a range by position and limit only,
   * so each call makes a duplicate of the buffer.
   */
  static final class Public extends RunningCrc {
    private final Checksum checksum;

    Public(CrcAlgorithm algorithm) {
      this.checksum = algorithm.newChecksum();
    }

    @Override
    void reset() {
      checksum.reset();
    }

    @Override
    void update(byte[] data, int off, int len) {
      checksum.update(data, off, len);
    }

    @Override
    void update(ByteBuffer data, int off, int len) {
      checksum.update(data.duplicate().limit(off + len).position(off));
    }

    @Override
    int value() {
      return (int) checksum.getValue();
    }
  }
}
