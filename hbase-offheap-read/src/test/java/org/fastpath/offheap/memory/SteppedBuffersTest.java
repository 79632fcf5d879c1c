package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sun.misc.Unsafe;

/**
 * Tests that buffers are like those of {@link ByteBuffer#allocateDirect}: zeroed, counted, limited,
 * and released with the last view. A separate JVM runs {@link #main}, because other tests use
 * direct memory too.
 */
class SteppedBuffersTest {
  private static final int BYTES = 5 * SteppedBuffers.STEP + 3;
  private static final int LIMIT_MEGABYTES = 16;

  /** A release of this JDK zeroes in steps itself. */
  private static final int JDK_OF_STEPS = 25;

  private static final String PASSED = "all checks passed";

  @TempDir private Path directory;

  @Test
  void buffersAreLikeThoseOfTheJdk() throws Exception {
    ForkedJvm.Result result =
        ForkedJvm.ours()
            .inFront(Path.of("target", "test-classes"))
            .flag("-XX:MaxDirectMemorySize=" + LIMIT_MEGABYTES + "m")
            .run(directory.resolve("log"), SteppedBuffersTest.class.getName());
    assertThat(result.output()).contains(PASSED);
    assertThat(result.exitCode()).isZero();
  }

  /** Checks all. */
  public static void main(String[] args) throws Exception {
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    SteppedBuffers buffers = SteppedBuffers.of((Unsafe) field.get(null));
    if (buffers == null && Runtime.version().feature() >= JDK_OF_STEPS) {
      System.out.println(PASSED);
      return;
    }
    for (int round = 0; round < 3; round++) {
      isZeroedAndReleasedAtOnce(buffers);
      isReleasedWithItsLastView(buffers);
      isLimited(buffers);
      leavesOthersAlone(buffers);
      servesTheMemoryOfTheCache(buffers);
    }
    System.out.println(PASSED);
  }

  private static void isZeroedAndReleasedAtOnce(SteppedBuffers buffers) {
    long before = DirectMemory.used();
    ByteBuffer buffer = buffers.allocate(BYTES);
    assertThat(DirectMemory.used() - before).isEqualTo(BYTES);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(buffer.position()).isZero();
    assertThat(buffer.limit()).isEqualTo(BYTES);
    assertThat(buffer.capacity()).isEqualTo(BYTES);
    assertThat(buffer.mismatch(ByteBuffer.allocate(BYTES))).isEqualTo(-1);
    for (int i = 0; i < BYTES; i++) {
      buffer.put(i, (byte) i);
    }
    assertThat(buffer.slice(BYTES - 1, 1).get(0)).isEqualTo((byte) (BYTES - 1));
    assertThatThrownBy(() -> buffer.get(BYTES)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffers.free(buffer)).isTrue();
    assertThat(DirectMemory.used()).isEqualTo(before);
    assertThat(buffers.free(buffer)).isTrue();
    assertThat(DirectMemory.used()).as("after a second call").isEqualTo(before);
  }

  private static void isReleasedWithItsLastView(SteppedBuffers buffers) throws Exception {
    long before = DirectMemory.used();
    ByteBuffer[] view = {buffers.allocate(BYTES).alignedSlice(64).slice(64, 128)};
    buffers.allocate(BYTES);
    // The buffer without a view is released, the other one is not.
    awaitUse(before + BYTES);
    assertThat(view[0].getLong(0)).isZero();
    view[0] = null;
    awaitUse(before);
  }

  private static void isLimited(SteppedBuffers buffers) {
    long before = DirectMemory.used();
    assertThatThrownBy(() -> buffers.allocate((LIMIT_MEGABYTES << 20) + 1))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(DirectMemory.used()).isEqualTo(before);
  }

  private static void leavesOthersAlone(SteppedBuffers buffers) throws Exception {
    long before = DirectMemory.used();
    assertThat(buffers.free(ByteBuffer.allocateDirect(SteppedBuffers.STEP))).isFalse();
    assertThat(buffers.free(buffers.allocate(SteppedBuffers.STEP))).isFalse();
    awaitUse(before);
  }

  private static void servesTheMemoryOfTheCache(SteppedBuffers buffers) {
    assertThat(buffers.free(Memory.buffer(BYTES))).isTrue();
  }

  private static void awaitUse(long bytes) throws Exception {
    Eventually.holds(
        () -> {
          System.gc();
          assertThat(DirectMemory.used()).isEqualTo(bytes);
        });
  }
}
