package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each implementation that this JDK allows reads and writes like a ByteBuffer. */
class RawAccessTest {
  private static final int SIZE = 4096;
  private static final int ROUNDS = 2000;

  static List<RawAccess> implementations() {
    List<RawAccess> all = new ArrayList<>(List.of(new UnsafeAccess()));
    if (Runtime.version().feature() >= 22) {
      all.add(new SegmentAccess());
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void wordsOffTheHeapAreThoseOfTheBuffer(RawAccess access) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE).order(ByteOrder.nativeOrder());
    long address = access.address(buffer.position(100));
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      int at = random.nextInt(SIZE - Long.BYTES);
      long value = random.nextLong();
      switch (round % 3) {
        case 0 -> access.putLong(address + at, value);
        case 1 -> access.putInt(address + at, (int) value);
        default -> access.putByte(address + at, (byte) value);
      }
      assertThat(access.getLong(null, address + at)).isEqualTo(buffer.getLong(at));
      assertThat(access.getInt(null, address + at)).isEqualTo(buffer.getInt(at));
      assertThat(access.getShort(null, address + at)).isEqualTo(buffer.getShort(at));
      assertThat(access.getByte(null, address + at)).isEqualTo(buffer.get(at));
    }
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void wordsOfArraysAreThoseOfTheArray(RawAccess access) {
    byte[] array = new byte[SIZE];
    new Random(8).nextBytes(array);
    ByteBuffer buffer = ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
    long base = access.byteArrayBase();
    for (int at = 0; at < SIZE - Long.BYTES; at++) {
      assertThat(access.getLong(array, base + at)).isEqualTo(buffer.getLong(at));
      assertThat(access.getInt(array, base + at)).isEqualTo(buffer.getInt(at));
      assertThat(access.getShort(array, base + at)).isEqualTo(buffer.getShort(at));
      assertThat(access.getByte(array, base + at)).isEqualTo(buffer.get(at));
    }
    access.putLong(array, 13, 0x0102030405060708L);
    assertThat(buffer.getLong(13)).isEqualTo(0x0102030405060708L);
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void anArrayOfLongsIsReadByWordsAndBytes(RawAccess access) {
    long[] array = {0x0102030405060708L, -1, Long.MIN_VALUE};
    long base = access.longArrayBase();
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    for (int word = 0; word < array.length; word++) {
      assertThat(access.getLong(array, base + (long) Long.BYTES * word)).isEqualTo(array[word]);
      buffer.putLong(0, array[word]);
      for (int at = 0; at < Long.BYTES; at++) {
        assertThat(access.getByte(array, base + (long) Long.BYTES * word + at))
            .isEqualTo(buffer.get(at));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void sharedWordsChangeAtOnce(RawAccess access) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE).order(ByteOrder.nativeOrder());
    long address = access.address(buffer);
    access.putLongVolatile(address + 8, 5);
    assertThat(access.getLongVolatile(address + 8)).isEqualTo(5);
    assertThat(access.compareAndSetLong(address + 8, 4, 9)).isFalse();
    assertThat(access.compareAndSetLong(address + 8, 5, 9)).isTrue();
    assertThat(access.getAndAddLong(address + 8, 2)).isEqualTo(9);
    assertThat(buffer.getLong(8)).isEqualTo(11);
    assertThat(access.getAndAddInt(address + 20, 3)).isZero();
    assertThat(access.getIntVolatile(address + 20)).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void runsAreFilledAndCopied(RawAccess access) {
    ByteBuffer direct = ByteBuffer.allocateDirect(SIZE);
    byte[] array = new byte[SIZE];
    access.fill(null, access.address(direct) + 3, 100, (byte) 7);
    access.fill(array, access.byteArrayBase() + 3, 100, (byte) 7);
    byte[] fromDirect = new byte[110];
    byte[] fromArray = new byte[110];
    access.copy(null, access.address(direct), fromDirect, 2, 108);
    access.copy(array, access.byteArrayBase(), fromArray, 2, 108);
    assertThat(fromDirect).isEqualTo(fromArray);
    assertThat(fromDirect[4]).isZero();
    assertThat(fromDirect[5]).isEqualTo((byte) 7);
    assertThat(fromDirect[104]).isEqualTo((byte) 7);
    assertThat(fromDirect[105]).isZero();
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void memoryIsGivenBack(RawAccess access) {
    boolean cleans =
        ByteBuffer.class.getModule().isOpen("jdk.internal.ref", getClass().getModule());
    assumeTrue(access instanceof UnsafeAccess || cleans, "needs the flags of HBase's script");
    long before = DirectMemory.used();
    ByteBuffer direct = ByteBuffer.allocateDirect(64 << 20);
    access.free(direct);
    assertThat(DirectMemory.used()).isLessThan(before + (64 << 20));
  }
}
