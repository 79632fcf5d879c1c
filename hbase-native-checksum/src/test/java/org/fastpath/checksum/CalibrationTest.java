package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.fastpath.checksum.Calibration.Speeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice is that of benchmarks with chunks of 512 B and 16 KB. */
class CalibrationTest {
  private final List<Integer> jdkChunks = new ArrayList<>();
  private final List<Integer> libhadoopChunks = new ArrayList<>();
  private final ChunkedCrc jdk = noting("jdk", jdkChunks);
  private final ChunkedCrc libhadoop = noting("hadoop-native", libhadoopChunks);

  /** Returns a provider that only notes the chunk of each call. */
  private static ChunkedCrc noting(String name, List<Integer> chunks) {
    return (ChunkedCrc)
        Proxy.newProxyInstance(
            ChunkedCrc.class.getClassLoader(),
            new Class<?>[] {ChunkedCrc.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("provider")) {
                return name;
              }
              chunks.add((Integer) arguments[0]);
              return method.getReturnType() == int.class ? ChunkedCrc.ALL_MATCH : null;
            });
  }

  @ParameterizedTest
  @CsvSource({
    // CRC32C and CRC32 of an EPYC without AVX-512, cold; libhadoop computes CRC32 by tables.
    "14.1, 7.7, 19.6, 'hadoop-native below 2048 B, else jdk'",
    "9.9, 1.8, 1.8, jdk",
    // CRC32C of an EPYC with AVX-512.
    "70.9, 16.2, 21.0, jdk",
    // A JVM without intrinsics.
    "1.2, 7.7, 19.6, hadoop-native",
  })
  void theFasterProviderTakesShortAndLongChunks(
      double ofJdk, double ofLibhadoop, double atOnce, String chosen) {
    Speeds speeds = new Speeds(ofJdk, ofLibhadoop, atOnce);
    assertThat(ChecksumEngine.faster(speeds, jdk, libhadoop).provider()).isEqualTo(chosen);
  }

  @Test
  void libhadoopIsMeasuredWithOneChunkAndWithThree() {
    new Calibration().compare(jdk, libhadoop);
    assertThat(Set.copyOf(jdkChunks)).containsExactly(255 << 10);
    assertThat(Set.copyOf(libhadoopChunks)).containsExactlyInAnyOrder(255 << 10, 85 << 10);
  }

  @Test
  void eachCallGoesToItsProvider() {
    ChunkedCrc both = new CrcByChunkSize(2048, libhadoop, jdk);
    byte[] array = new byte[0];
    ByteBuffer buffer = ByteBuffer.wrap(array);
    ByteBuffer[] parts = {buffer};
    for (int[] call : new int[][] {{512, 1025}, {2047, 1 << 20}, {512, 1024}, {2048, 1 << 20}}) {
      int chunk = call[0];
      int len = call[1];
      both.verify(chunk, array, 0, len, array, 0);
      both.verify(chunk, buffer, 0, len, buffer, 0);
      both.verify(chunk, parts, 0, len, 0);
      both.compute(chunk, array, 0, len, array, 0);
      both.compute(chunk, buffer, 0, len, buffer, 0);
      both.compute(chunk, parts, 0, len, buffer, 0);
    }
    assertThat(libhadoopChunks).hasSize(12).containsOnly(512, 2047);
    assertThat(jdkChunks).hasSize(12).containsOnly(512, 2048);
  }
}
