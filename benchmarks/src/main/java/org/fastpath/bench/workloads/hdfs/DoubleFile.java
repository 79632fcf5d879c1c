package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A file of doubles in native order, computed from their positions. Values are small whole numbers
 * that repeat, so sums are exact in any order.
 *
 * @param bytes its length, a multiple of {@link #UNIT_BYTES}
 */
record DoubleFile(long bytes) {
  /** The number of values until they repeat; it is prime, so no power of two hides an error. */
  private static final int PERIOD = 8191;

  private static final int UNIT_BYTES = 1 << 10;
  private static final int WRITE_BYTES = 1 << 20;

  DoubleFile {
    if (bytes <= 0 || bytes % UNIT_BYTES != 0) {
      throw new IllegalArgumentException(bytes + " bytes are not a multiple of " + UNIT_BYTES);
    }
  }

  /** Returns the value at a position that is a multiple of eight. */
  static double valueAt(long position) {
    return position / Double.BYTES % PERIOD;
  }

  /** Returns the sum of all values. */
  double sum() {
    long values = bytes / Double.BYTES;
    return values / PERIOD * triangle(PERIOD) + (double) triangle(values % PERIOD);
  }

  /** Returns 0 + 1 + ... + (n − 1). */
  private static long triangle(long n) {
    return n * (n - 1) / 2;
  }

  /** Fills a buffer up to its limit with the file's bytes from {@code begin} on. */
  private static void fill(ByteBuffer buffer, long begin) {
    for (int i = 0; i < buffer.limit(); i += Double.BYTES) {
      buffer.putDouble(i, valueAt(begin + i));
    }
  }

  /** Returns the file off the heap, in pieces of the given size; the last one may be shorter. */
  List<ByteBuffer> inMemory(int pieceBytes) {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (long begin = 0; begin < bytes; begin += pieceBytes) {
      int length = (int) Math.min(pieceBytes, bytes - begin);
      ByteBuffer piece = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
      fill(piece, begin);
      pieces.add(piece);
    }
    return pieces;
  }

  /** Writes the whole file. */
  void write(OutputStream out, BiConsumer<Long, Long> progress) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(WRITE_BYTES).order(ByteOrder.nativeOrder());
    for (long begin = 0; begin < bytes; begin += WRITE_BYTES) {
      buffer.limit((int) Math.min(WRITE_BYTES, bytes - begin));
      fill(buffer, begin);
      out.write(buffer.array(), 0, buffer.limit());
      progress.accept(begin + buffer.limit(), bytes);
    }
  }
}
