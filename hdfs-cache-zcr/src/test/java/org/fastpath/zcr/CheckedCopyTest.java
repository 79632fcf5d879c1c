package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of all small lengths; a zero at the end makes it ask for the file's length. */
class CheckedCopyTest {
  private static final int LENGTH = 100;
  private static final int PAGE_BYTES = 4096;
  private static final int LARGE = 4 << 20;

  private final FakeReplica replica = new FakeReplica(true, LENGTH);
  private final Mapping mapping = replica.mapping();

  @Test
  void copiesWhatIsThere() {
    for (int i = 0; i < LENGTH; i++) {
      replica.bytes().put(i, (byte) i);
    }
    for (int length = 1; length <= LENGTH - 7; length++) {
      byte[] array = new byte[LENGTH];
      assertThat(CheckedCopy.copy(mapping, 7, array, 5, length)).isTrue();
      ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH).position(2);
      assertThat(CheckedCopy.copy(mapping, 7, buffer, 5, length)).isTrue();
      assertThat(buffer.position()).isEqualTo(2);
      for (int i = 0; i < LENGTH; i++) {
        byte expected = i < 5 || i >= 5 + length ? 0 : (byte) (i + 2);
        assertThat(array[i]).isEqualTo(expected);
        assertThat(buffer.get(i)).isEqualTo(expected);
      }
    }
  }

  @Test
  void asksForTheLengthAtAZero() {
    replica.bytes().put(49, (byte) 0);
    assertThat(CheckedCopy.copy(mapping, 10, new byte[40], 0, 40)).isTrue();
    replica.fileLength = 49;
    assertThat(CheckedCopy.copy(mapping, 10, new byte[40], 0, 40)).isFalse();
    assertThat(CheckedCopy.copy(mapping, 10, ByteBuffer.allocate(40), 0, 40)).isFalse();
    assertThat(CheckedCopy.copy(mapping, 10, new byte[39], 0, 39)).isTrue();
  }

  @Test
  void copiesNothingWithoutATouch() {
    replica.fileLength = 0;
    byte[] array = {1, 2};
    assertThat(CheckedCopy.copy(mapping, 7, array, 1, 0)).isTrue();
    assertThat(CheckedCopy.copy(mapping, 7, array, 0, 0)).isTrue();
    assertThat(CheckedCopy.copy(mapping, 7, ByteBuffer.wrap(array), 2, 0)).isTrue();
    assertThat(array).containsExactly(1, 2);
  }

  /** Each access to the memory faults, and the JVM has an error to throw when it likes. */
  @Test
  void noticesAFileThatHasNoBytesLeft(@TempDir Path directory) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("replica").toFile(), "rw");
        FileInputStream data = new FileInputStream(file.getFD())) {
      Mapping damaged = FakeReplica.of(file, data, 3 * PAGE_BYTES).mapping();
      file.setLength(0);
      for (int round = 0; round < 100; round++) {
        for (int length : new int[] {1, 15, 16, 17, PAGE_BYTES, 2 * PAGE_BYTES}) {
          byte[] array = new byte[length];
          assertThat(CheckedCopy.copy(damaged, 7, array, 0, length)).isFalse();
          ByteBuffer direct = ByteBuffer.allocateDirect(length);
          assertThat(CheckedCopy.copy(damaged, 7, ByteBuffer.wrap(array), 0, length)).isFalse();
          assertThat(CheckedCopy.copy(damaged, 7, direct, 0, length)).isFalse();
        }
      }
    }
  }

  /**
   * The kernel takes a file's pages out of mappings from the first to the last, which takes long.
   */
  @Test
  void noticesAFileThatIsTruncatedMeanwhile(@TempDir Path directory) throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 100; round++) {
      File replica = directory.resolve("replica-" + round).toFile();
      try (RandomAccessFile file = new RandomAccessFile(replica, "rw");
          FileInputStream data = new FileInputStream(file.getFD())) {
        Mapping mapping = FakeReplica.of(file, data, LARGE).mapping();
        byte[] expected = new byte[LARGE];
        CheckedCopy.copy(mapping, 0, expected, 0, LARGE);
        CountDownLatch copying = new CountDownLatch(1);
        Future<?> copies =
            CompletableFuture.runAsync(
                () -> {
                  byte[] array = new byte[LARGE];
                  while (CheckedCopy.copy(mapping, 0, array, 0, LARGE)) {
                    assertThat(Arrays.equals(array, expected)).isTrue();
                    Arrays.fill(array, (byte) 0);
                    copying.countDown();
                  }
                });
        copying.await();
        file.setLength(random.nextInt(LARGE));
        copies.get();
      }
    }
  }
}
