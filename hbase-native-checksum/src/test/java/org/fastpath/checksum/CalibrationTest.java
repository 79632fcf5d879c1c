package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.fastpath.checksum.Calibration.Speeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chooses as benchmarks with chunks of 512 B and 16 KB did on the same machines. */
class CalibrationTest {
  @ParameterizedTest
  @CsvSource({
    // CRC32C without registers of 512 bits; CRC32, which libhadoop computes by tables.
    "14.1, 7.7, 19.6, false, true",
    "9.9, 1.8, 1.8, true, true",
    // CRC32C with registers of 512 bits.
    "70.9, 16.2, 21.0, true, true",
    // A JVM without intrinsics.
    "1.2, 7.7, 19.6, false, false",
  })
  void theFasterProviderTakesShortAndLongChunks(
      double jdk, double libhadoop, double atOnce, boolean shorts, boolean longs) {
    Speeds speeds = new Speeds(jdk, libhadoop, atOnce);
    assertThat(speeds.jdkTakesShorts()).isEqualTo(shorts);
    assertThat(speeds.jdkTakesLongs()).isEqualTo(longs);
  }

  @Test
  void bothProvidersAreMeasured() {
    AtomicInteger jdk = new AtomicInteger();
    AtomicInteger libhadoop = new AtomicInteger();
    Speeds speeds = new Calibration().compare(counting(jdk), counting(libhadoop));
    assertThat(libhadoop).hasValue(2 * jdk.get());
    assertThat(speeds.jdk()).isPositive();
    assertThat(speeds.libhadoop()).isPositive();
    assertThat(speeds.libhadoopAtOnce()).isPositive();
  }

  @Test
  void eachLengthGoesToItsProvider() {
    AtomicInteger shorts = new AtomicInteger();
    AtomicInteger longs = new AtomicInteger();
    ChunkedCrc both = new CrcByChunkSize(2048, counting(shorts), counting(longs));
    both.compute(512, new byte[0], 0, 0, new byte[0], 0);
    both.compute(2047, new byte[0], 0, 0, new byte[0], 0);
    both.compute(2048, new byte[0], 0, 0, new byte[0], 0);
    assertThat(shorts).hasValue(2);
    assertThat(longs).hasValue(1);
  }

  /** Returns a provider that only counts the calls. */
  private static ChunkedCrc counting(AtomicInteger calls) {
    return (ChunkedCrc)
        Proxy.newProxyInstance(
            ChunkedCrc.class.getClassLoader(),
            new Class<?>[] {ChunkedCrc.class},
            (proxy, method, arguments) -> {
              calls.incrementAndGet();
              return null;
            });
  }
}
