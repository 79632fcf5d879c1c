package org.fastpath.checksum;

import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/**
 * A CRC under way: like {@link Checksum}, but ranges of buffers are given by absolute offsets, so
 * that nobody's position has to be moved. Not safe for use by two threads.
 */
abstract class RunningCrc {
  /** Forgets all bytes. */
  abstract void reset();

  /**
   * Takes a range of an array.
   *
   * @throws ArrayIndexOutOfBoundsException as {@link Checksum#update(byte[], int, int)} does
   */
  abstract void update(byte[] data, int off, int len);

  /** Takes a range of a direct buffer; the caller has checked that it lies within the limit. */
  abstract void update(ByteBuffer data, int off, int len);

  abstract int value();

  /**
   * By the public methods of {@code java.util.zip}. A buffer's range can be told by position and
   * limit only, so each call makes a duplicate of the buffer.
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
