package org.fastpath.bench.jmh.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Benchmarks measure the right operation: their set-ups check themselves, and rivals agree with
 * each other.
 */
class ChecksumBenchmarksTest {
  private static final int SIZE = 5000;

  @ParameterizedTest
  @ValueSource(strings = {"heap", "direct", "2-part", "17-part"})
  void layoutsHoldTheBytes(String layout) {
    byte[] bytes = ChecksumBenchmark.randomBytes(SIZE);
    ByteBuffer joined = ByteBuffer.allocate(SIZE);

    List<ByteBuffer> parts = ChecksumBenchmark.buffers(layout, bytes);
    parts.forEach(part -> joined.put(part.duplicate()));

    assertThat(joined.array()).isEqualTo(bytes);
    assertThat(parts.get(0).isDirect()).isNotEqualTo(layout.equals("heap"));
  }

  @Test
  void partsBeginAtOddOffsets() {
    List<ByteBuffer> parts = ChecksumBenchmark.buffers("17-part", new byte[SIZE]);

    assertThat(parts).hasSize(17);
    assertThat(parts.get(0).remaining()).isOdd();
    assertThat(parts.subList(1, 16)).allMatch(part -> part.remaining() % 2 == 0);
  }

  @Test
  void unknownLayoutIsRefused() {
    assertThatThrownBy(() -> ChecksumBenchmark.buffers("mapped", new byte[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mapped");
  }

  @ParameterizedTest
  @CsvSource({"CRC32,512,heap", "CRC32,512,direct", "CRC32C,16384,heap", "CRC32C,16384,direct"})
  void dataChecksumVerifiesWhatItGenerates(String algorithm, int chunk, String buffer)
      throws IOException {
    DataChecksumBenchmark benchmark = new DataChecksumBenchmark();
    benchmark.algorithm = algorithm;
    benchmark.size = SIZE;
    benchmark.chunk = chunk;
    benchmark.buffer = buffer;

    benchmark.setUp();

    benchmark.verify();
    assertThat(benchmark.generate().remaining()).isEqualTo(benchmark.sumsLength());
  }

  @ParameterizedTest
  @CsvSource({"CRC32,512,heap", "CRC32,512,17-part", "CRC32C,16384,direct", "CRC32C,16384,2-part"})
  void hfileBlockIsValid(String algorithm, int chunk, String buffer) throws IOException {
    HFileBlockBenchmark benchmark = new HFileBlockBenchmark();
    benchmark.algorithm = algorithm;
    benchmark.size = SIZE;
    benchmark.chunk = chunk;
    benchmark.buffer = buffer;

    benchmark.setUp();

    assertThat(benchmark.validate()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"CRC32,512", "CRC32,777", "CRC32C,16384", "CRC32C,512"})
  void rivalsGiveOneResultOnEveryLayout(String algorithm, int chunk) {
    long onHeap = chunks(algorithm, chunk, "heap");

    assertThat(chunks(algorithm, chunk, "direct")).isEqualTo(onHeap);
    assertThat(chunks(algorithm, chunk, "2-part")).isEqualTo(onHeap);
    assertThat(chunks(algorithm, chunk, "17-part")).isEqualTo(onHeap);
    assertThat(chunks(algorithm, SIZE, "17-part")).isEqualTo(whole(algorithm));
  }

  private static long whole(String algorithm) {
    Checksum checksum = algorithm.equals("CRC32C") ? new CRC32C() : new CRC32();
    checksum.update(ChecksumBenchmark.randomBytes(SIZE));
    return checksum.getValue();
  }

  private static long chunks(String algorithm, int chunk, String buffer) {
    JdkChunksBenchmark rival = new JdkChunksBenchmark();
    rival.algorithm = algorithm;
    rival.size = SIZE;
    rival.chunk = chunk;
    rival.buffer = buffer;
    rival.setUp();
    rival.update();
    return rival.update();
  }
}
