package org.fastpath.checksum;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Random;

/**
 * Measures in about ten milliseconds how fast the providers are on this machine.
 *
 * <p>It runs once, at start, before the JIT compiler has compiled anything. So it times long
 * chunks, on which even the interpreter spends its time in the checksum. It takes the best of a few
 * runs on heap and on direct memory. Long chunks are compared one at a time. Where libhadoop
 * computes several of them faster, the JDK may be a little slower.
 */
final class Calibration {
  /** Chunks that libhadoop computes at once, because a CRC instruction waits for the one before. */
  private static final int AT_ONCE = 3;

  private static final int CHUNK = 85 << 10;
  private static final int BYTES = AT_ONCE * CHUNK;
  private static final int RUNS = 12;

  private final byte[] heap = new byte[BYTES];
  private final byte[] heapSums = new byte[AT_ONCE * ChunkedCrc.SUM_BYTES];
  private final ByteBuffer direct = ByteBuffer.allocateDirect(BYTES);
  private final ByteBuffer directSums = ByteBuffer.allocateDirect(AT_ONCE * ChunkedCrc.SUM_BYTES);

  /**
   * Speeds in bytes per nanosecond, which is GB/s.
   *
   * @param jdk the speed of the JDK's intrinsic with one chunk
   * @param libhadoop the speed of libhadoop with one chunk
   * @param libhadoopAtOnce the speed of libhadoop with three chunks
   */
  record Speeds(double jdk, double libhadoop, double libhadoopAtOnce) {
    /**
     * The share of its full speed that the JDK's intrinsic keeps with 512 bytes. It was 0.65 and
     * 0.61 without AVX-512, and 0.73 and 0.71 with it, for CRC32C and CRC32.
     */
    private static final double SHORT_SHARE = 0.65;

    boolean jdkTakesShorts() {
      return jdk * SHORT_SHARE >= libhadoopAtOnce;
    }

    boolean jdkTakesLongs() {
      return jdk >= libhadoop;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "measured GB/s: jdk %.1f, hadoop-native %.1f, %.1f with three chunks",
          jdk,
          libhadoop,
          libhadoopAtOnce);
    }
  }

  Calibration() {
    new Random(BYTES).nextBytes(heap);
    direct.put(0, heap);
  }

  /** Measures both providers over heap and direct memory together. */
  Speeds compare(ChunkedCrc jdk, ChunkedCrc libhadoop) {
    return new Speeds(speed(BYTES, jdk), speed(BYTES, libhadoop), speed(CHUNK, libhadoop));
  }

  private double speed(int chunk, ChunkedCrc crc) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < RUNS; i++) {
      long start = System.nanoTime();
      crc.compute(chunk, heap, 0, BYTES, heapSums, 0);
      crc.compute(chunk, direct, 0, BYTES, directSums, 0);
      best = Math.min(best, System.nanoTime() - start);
    }
    return 2.0 * BYTES / Math.max(best, 1);
  }
}
