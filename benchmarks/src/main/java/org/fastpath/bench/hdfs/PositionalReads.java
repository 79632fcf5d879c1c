package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A way to read a {@link DoubleFile} at positions, by several threads at the same time. */
interface PositionalReads {
  /** For a thread that always reads as many bytes. */
  Reader reader(int length);

  /** Reads for one thread. */
  @FunctionalInterface
  interface Reader {
    /** Reads at a position and compares what it got. */
    void read(long position) throws IOException;
  }

  /** Fails if the first or the last number of what was read is not the file's. */
  static void checkEnds(ByteBuffer buffer, long position, int length) throws IOException {
    check(buffer, position, 0);
    check(buffer, position, length - Double.BYTES);
  }

  private static void check(ByteBuffer buffer, long position, int index) throws IOException {
    if (buffer.getDouble(index) != DoubleFile.valueAt(position + index)) {
      throw new IOException("wrong bytes at " + (position + index));
    }
  }
}
