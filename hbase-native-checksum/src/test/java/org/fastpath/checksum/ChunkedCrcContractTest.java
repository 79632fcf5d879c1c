package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.util.NativeCodeLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of every {@link ChunkedCrc}, for each provider and algorithm. The reference is a CRC
 * computed bit by bit. Random cases print their seed; {@code -Dchecksum.seed=N} replays it.
 */
class ChunkedCrcContractTest {
  private static final long SEED =
      Long.getLong("checksum.seed", System.nanoTime() & Integer.MAX_VALUE);
  private static final int CASES = 20_000;

  record Subject(String name, CrcAlgorithm algorithm, ChunkedCrc crc) {
    @Override
    public String toString() {
      return name + " " + algorithm;
    }
  }

  static Stream<Subject> subjects() {
    return Arrays.stream(CrcAlgorithm.values())
        .flatMap(
            algorithm -> {
              ChunkedCrc jdk = new JdkChunkedCrc(algorithm);
              ChunkedCrc libhadoop = new HadoopNativeChunkedCrc(algorithm, jdk);
              return Stream.of(
                  new Subject("jdk", algorithm, jdk),
                  new Subject(
                      "jdk by public methods",
                      algorithm,
                      new JdkChunkedCrc(() -> new RunningCrc.Public(algorithm))),
                  new Subject("hadoop-native", algorithm, libhadoop),
                  new Subject("both", algorithm, new CrcByChunkSize(100, libhadoop, jdk)));
            });
  }

  @BeforeAll
  static void libhadoopIsThere() {
    assertThat(NativeCodeLoader.isNativeCodeLoaded()).isTrue();
  }

  @Test
  void theIntrinsicsAreReachedOnThisJdk() {
    for (CrcAlgorithm algorithm : CrcAlgorithm.values()) {
      assertThat(JdkInternals.newCrc(algorithm)).isNotInstanceOf(RunningCrc.Public.class);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void checksumsAreTheTextbooks(Subject subject) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < CASES / 20; i++) {
      byte[] data = bytes(random, random.nextInt(400));
      int chunk = 1 + random.nextInt(500);
      byte[] sums = new byte[(int) ChunkedCrc.sumsLength(data.length, chunk)];
      subject.crc.compute(chunk, data, 0, data.length, sums, 0);
      assertThat(sums).as("seed %s", SEED).isEqualTo(textbook(subject.algorithm, data, chunk));
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void everyShapeOfBufferGivesTheSame(Subject subject) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < CASES; i++) {
      Case c = new Case(subject, random);
      String what = "seed " + SEED + " case " + i + " " + c;
      assertThat(c.verifyArray()).as(what).isEqualTo(c.expected);
      assertThat(c.verifyBuffers()).as(what).isEqualTo(c.expected);
      assertThat(c.verifyParts()).as(what).isEqualTo(c.expected);
      assertThat(c.computeBuffers()).as(what).isEqualTo(c.cleanSums);
      assertThat(c.computeParts()).as(what).isEqualTo(c.cleanSums);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void everyOneBitErrorIsFoundInItsChunk(Subject subject) {
    byte[] data = bytes(new SplittableRandom(SEED), 230);
    int chunk = 64;
    byte[] block = Arrays.copyOf(data, data.length + 16);
    subject.crc.compute(chunk, data, 0, data.length, block, data.length);
    ByteBuffer direct = ByteBuffer.allocateDirect(block.length).put(block).flip();
    for (int bit = 0; bit < block.length * 8; bit++) {
      int at = bit / 8;
      direct.put(at, (byte) (block[at] ^ 1 << bit % 8));
      int chunkAt = at < data.length ? at / chunk : (at - data.length) / 4;
      int bad = subject.crc.verify(chunk, direct, 0, data.length, direct, data.length);
      assertThat(bad).as("bit %s", bit).isEqualTo(chunkAt * chunk);
      direct.put(at, block[at]);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void longestChunkTakesAll(Subject subject) {
    byte[] data = bytes(new SplittableRandom(SEED), 1000);
    byte[] sums = new byte[4];
    subject.crc.compute(Integer.MAX_VALUE, data, 0, data.length, sums, 0);
    assertThat(sums).isEqualTo(textbook(subject.algorithm, data, Integer.MAX_VALUE));
    ByteBuffer[] parts = {ByteBuffer.wrap(data), ByteBuffer.wrap(sums)};
    assertThat(subject.crc.verify(Integer.MAX_VALUE, parts, 0, 1000, 1000))
        .isEqualTo(ChunkedCrc.ALL_MATCH);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void roomForTooFewChecksumsIsAnErrorAndNothingIsReadBeyond(Subject subject) {
    byte[] data = new byte[1000];
    byte[] sums = new byte[7];
    ByteBuffer directData = ByteBuffer.allocateDirect(1000);
    ByteBuffer directSums = ByteBuffer.allocateDirect(16).limit(7);
    ChunkedCrc crc = subject.crc;
    assertThatThrownBy(() -> crc.compute(512, data, 0, 1000, sums, 0))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class)
        .hasMessage("Index 7 out of bounds for length 7");
    sums[0] ^= 1;
    assertThat(crc.verify(512, data, 0, 1000, sums, 0)).isZero();
    crc.compute(512, data, 0, 512, sums, 0);
    assertThatThrownBy(() -> crc.verify(512, data, 0, 1000, sums, 0))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);
    assertThatThrownBy(() -> crc.compute(512, directData, 0, 1000, directSums, 0))
        .isInstanceOf(BufferOverflowException.class);
    crc.compute(512, directData, 0, 512, directSums, 0);
    assertThatThrownBy(() -> crc.verify(512, directData, 0, 1000, directSums, 0))
        .isInstanceOf(BufferUnderflowException.class);
    ByteBuffer[] parts = {directData, directSums};
    assertThatThrownBy(() -> crc.verify(512, parts, 0, 1000, 1000))
        .isInstanceOf(BufferUnderflowException.class);
    assertThatThrownBy(() -> crc.compute(512, directData, 0, 512, directSums.asReadOnlyBuffer(), 0))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aRangeOutsideTheDataIsAnError(Subject subject) {
    ByteBuffer direct = ByteBuffer.allocateDirect(1000).limit(900);
    ByteBuffer sums = ByteBuffer.allocateDirect(64);
    ByteBuffer[] parts = {direct, ByteBuffer.allocate(50)};
    int[][] ranges = {{0, 901}, {-1, 10}, {900, 1}, {Integer.MAX_VALUE, 2}, {10, -1}};
    for (int[] range : ranges) {
      assertThatThrownBy(() -> subject.crc.compute(64, direct, range[0], range[1], sums, 0))
          .as(Arrays.toString(range))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> subject.crc.compute(64, new byte[10], 5, 6, new byte[64], 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> subject.crc.compute(64, parts, 900, 51, sums, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aFailedCallLeavesNothingBehind(Subject subject) {
    byte[] data = bytes(new SplittableRandom(SEED), 1000);
    ByteBuffer sums = ByteBuffer.allocate(4);
    ByteBuffer[] parts = {ByteBuffer.wrap(data, 0, 300).slice(), ByteBuffer.wrap(data)};
    assertThatThrownBy(() -> subject.crc.compute(512, parts, 0, 1300, sums, 0))
        .isInstanceOf(BufferOverflowException.class);
    ByteBuffer whole = ByteBuffer.allocate(4);
    subject.crc.compute(1000, new ByteBuffer[] {ByteBuffer.wrap(data)}, 0, 1000, whole, 0);
    assertThat(whole.array()).isEqualTo(textbook(subject.algorithm, data, 1000));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void threadsShareAnInstanceAndBuffers(Subject subject) throws Exception {
    byte[] data = bytes(new SplittableRandom(SEED), 60_000);
    byte[] block = Arrays.copyOf(data, data.length + 480);
    subject.crc.compute(512, data, 0, data.length, block, data.length);
    ByteBuffer direct = ByteBuffer.allocateDirect(block.length).put(block).flip();
    ByteBuffer[] parts = {
      direct.slice(0, 777), direct.slice(777, 40_001), direct.slice(40_778, block.length - 40_778)
    };
    Callable<Boolean> work =
        () -> {
          for (int i = 0; i < 2000; i++) {
            int single = subject.crc.verify(512, direct, 0, data.length, direct, data.length);
            int multi = subject.crc.verify(512, parts, 0, data.length, data.length);
            if (single != ChunkedCrc.ALL_MATCH || multi != ChunkedCrc.ALL_MATCH) {
              return false;
            }
          }
          return true;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Boolean> result : threads.invokeAll(List.of(work, work, work, work))) {
        assertThat(result.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] textbook(CrcAlgorithm algorithm, byte[] data, int chunk) {
    int polynomial = algorithm == CrcAlgorithm.CRC32 ? 0xEDB88320 : 0x82F63B78;
    ByteBuffer sums = ByteBuffer.allocate((int) ChunkedCrc.sumsLength(data.length, chunk));
    for (int from = 0; from < data.length; from += Math.min(chunk, data.length)) {
      int crc = -1;
      for (int i = from; i < from + Math.min(chunk, data.length - from); i++) {
        crc ^= data[i] & 0xff;
        for (int bit = 0; bit < 8; bit++) {
          crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ polynomial;
        }
      }
      sums.putInt(~crc);
    }
    return sums.array();
  }

  /**
   * Random data and checksums, damaged half the time, in arrays, buffers of mixed kinds, and parts.
   */
  private static final class Case {
    final Subject subject;
    final SplittableRandom random;
    final int chunk;
    final byte[] data;
    final byte[] cleanSums;
    final byte[] sums;
    final int expected;

    Case(Subject subject, SplittableRandom random) {
      this.subject = subject;
      this.random = random;
      chunk = 1 + random.nextInt(random.nextBoolean() ? 20 : 700);
      data = bytes(random, random.nextInt(1500));
      cleanSums = new byte[(int) ChunkedCrc.sumsLength(data.length, chunk)];
      subject.crc.compute(chunk, data, 0, data.length, cleanSums, 0);
      sums = cleanSums.clone();
      expected = random.nextBoolean() && data.length > 0 ? damage() : ChunkedCrc.ALL_MATCH;
    }

    private int damage() {
      if (random.nextInt(4) == 0) {
        int at = random.nextInt(sums.length);
        sums[at] ^= (byte) (1 << random.nextInt(8));
        return at / 4 * chunk;
      }
      int at = random.nextInt(data.length);
      data[at] ^= (byte) (1 << random.nextInt(8));
      // compute() must give the checksums of the damaged data
      subject.crc.compute(chunk, data, 0, data.length, cleanSums, 0);
      return at / chunk * chunk;
    }

    int verifyArray() {
      return subject.crc.verify(chunk, data, 0, data.length, sums, 0);
    }

    int verifyBuffers() {
      ByteBuffer in = buffer(data, 3);
      ByteBuffer stored = buffer(sums, 5);
      String before = in + " " + stored;
      int bad = subject.crc.verify(chunk, in, 3, data.length, stored, 5);
      assertThat(in + " " + stored).isEqualTo(before);
      return bad;
    }

    byte[] computeBuffers() {
      ByteBuffer in = buffer(data, 2);
      ByteBuffer out = writable(7 + cleanSums.length);
      subject.crc.compute(chunk, in, 2, data.length, out, 7);
      return bytesOf(out, 7);
    }

    int verifyParts() {
      byte[] all = new byte[11 + data.length + 1 + sums.length];
      System.arraycopy(data, 0, all, 11, data.length);
      System.arraycopy(sums, 0, all, 12 + data.length, sums.length);
      return subject.crc.verify(chunk, parts(all), 11, data.length, 12 + data.length);
    }

    byte[] computeParts() {
      byte[] all = new byte[11 + data.length + 3];
      System.arraycopy(data, 0, all, 11, data.length);
      ByteBuffer out = writable(1 + cleanSums.length);
      subject.crc.compute(chunk, parts(all), 11, data.length, out, 1);
      return bytesOf(out, 1);
    }

    private ByteBuffer[] parts(byte[] all) {
      List<ByteBuffer> parts = new ArrayList<>();
      for (int from = 0; from < all.length; ) {
        int size = Math.min(random.nextInt(random.nextBoolean() ? 5 : 600), all.length - from);
        parts.add(buffer(Arrays.copyOfRange(all, from, from + size), 0));
        from += size;
      }
      return parts.toArray(new ByteBuffer[0]);
    }

    private ByteBuffer buffer(byte[] bytes, int before) {
      ByteBuffer buffer = writable(before + bytes.length);
      buffer.put(before, bytes);
      return random.nextInt(3) == 0 ? buffer.asReadOnlyBuffer() : buffer;
    }

    private ByteBuffer writable(int size) {
      int extra = random.nextInt(4);
      ByteBuffer base =
          random.nextBoolean()
              ? ByteBuffer.allocate(extra + size + extra)
              : ByteBuffer.allocateDirect(extra + size + extra);
      ByteBuffer buffer = base.position(extra).slice().limit(size);
      // Neither position nor byte order of the caller's buffer may matter.
      buffer.order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      return buffer.position(random.nextInt(size + 1));
    }

    private static byte[] bytesOf(ByteBuffer buffer, int from) {
      byte[] bytes = new byte[buffer.limit() - from];
      buffer.get(from, bytes);
      return bytes;
    }

    @Override
    public String toString() {
      return subject + " length " + data.length + " chunk " + chunk + " expected " + expected;
    }
  }
}
