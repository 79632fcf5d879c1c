package org.fastpath.bench.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteHistogramTest {
  @Test
  void everyByteBetweenPositionAndLimitIsCounted() {
    long seed = System.nanoTime();
    byte[] bytes = new byte[100_003];
    new Random(seed).nextBytes(bytes);
    long[] expected = new long[ByteHistogram.VALUES];
    for (int i = 5; i < bytes.length - 6; i++) {
      expected[bytes[i] & 0xff]++;
    }
    ByteHistogram histogram = new ByteHistogram();
    histogram.add(ByteBuffer.wrap(bytes, 5, 40_001));
    histogram.add(
        ByteBuffer.allocateDirect(bytes.length)
            .put(bytes)
            .flip()
            .position(40_006)
            .limit(bytes.length - 6));
    histogram.add(ByteBuffer.allocate(0));

    for (int value = 0; value < ByteHistogram.VALUES; value++) {
      assertThat(histogram.count(value))
          .as("value %d, seed %d", value, seed)
          .isEqualTo(expected[value]);
    }
  }
}
