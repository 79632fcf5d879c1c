package org.fastpath.checksum;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Measures in about a millisecond how fast a provider is on this machine.
 *
 * <p>It runs once, at start, before the JIT compiler has compiled anything. So it times single long
 * chunks, on which even the interpreter spends its time in the intrinsic. It takes the best of a
 * few runs on heap and on direct memory.
 */
final class Calibration {
  private static final int BYTES = 256 << 10;
  private static final int RUNS = 12;

  private final byte[] heap = new byte[BYTES];
  private final byte[] heapSums = new byte[ChunkedCrc.SUM_BYTES];
  private final ByteBuffer direct = ByteBuffer.allocateDirect(BYTES);
  private final ByteBuffer directSums = ByteBuffer.allocateDirect(ChunkedCrc.SUM_BYTES);

  Calibration() {
    new Random(BYTES).nextBytes(heap);
    direct.put(0, heap);
  }

  /** Returns bytes per nanosecond, which is GB/s, over heap and direct memory together. */
  double speed(ChunkedCrc crc) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < RUNS; i++) {
      long start = System.nanoTime();
      crc.compute(BYTES, heap, 0, BYTES, heapSums, 0);
      crc.compute(BYTES, direct, 0, BYTES, directSums, 0);
      best = Math.min(best, System.nanoTime() - start);
    }
    return 2.0 * BYTES / Math.max(best, 1);
  }
}
