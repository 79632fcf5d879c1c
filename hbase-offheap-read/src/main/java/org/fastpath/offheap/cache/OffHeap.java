package org.fastpath.offheap.cache;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Memory by address. The only class here that touches {@link Unsafe}: everything else names fields
 * of a record by a descriptor class and goes through these methods.
 *
 * <p>Addresses come from direct buffers, so that the memory counts towards {@code
 * -XX:MaxDirectMemorySize}; whoever uses an address keeps its buffer reachable. Nothing is checked
 * here: a wrong address ends the process.
 */
final class OffHeap {
  private static final Unsafe UNSAFE = unsafe();
  private static final long BUFFER_ADDRESS = bufferAddressOffset();
  private static final long BYTES = Unsafe.ARRAY_BYTE_BASE_OFFSET;

  private OffHeap() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long bufferAddressOffset() {
    try {
      return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField("address"));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Zeroed direct memory in native byte order that begins at a cache line. */
  static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes + 64).alignedSlice(64).order(ByteOrder.nativeOrder());
  }

  /**
   * Gives a direct or mapped buffer's memory back at once. Nobody may touch it afterwards.
   *
   * @param direct as it was allocated or mapped, not a slice or duplicate
   */
  static void free(ByteBuffer direct) {
    UNSAFE.invokeCleaner(direct);
  }

  /** Where a direct buffer's memory begins, whatever its position. */
  static long address(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("not a direct buffer: " + direct);
    }
    return UNSAFE.getLong(direct, BUFFER_ADDRESS);
  }

  static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  static int getIntVolatile(long address) {
    return UNSAFE.getIntVolatile(null, address);
  }

  static void putIntVolatile(long address, int value) {
    UNSAFE.putIntVolatile(null, address, value);
  }

  static long getLongVolatile(long address) {
    return UNSAFE.getLongVolatile(null, address);
  }

  static void putLongVolatile(long address, long value) {
    UNSAFE.putLongVolatile(null, address, value);
  }

  static boolean compareAndSetLong(long address, long expected, long value) {
    return UNSAFE.compareAndSwapLong(null, address, expected, value);
  }

  /** Adds and returns what was there before. */
  static int getAndAddInt(long address, int delta) {
    return UNSAFE.getAndAddInt(null, address, delta);
  }

  static void fill(long address, long bytes, byte value) {
    UNSAFE.setMemory(address, bytes, value);
  }

  static void copy(long from, long to, long bytes) {
    UNSAFE.copyMemory(from, to, bytes);
  }

  static void copy(byte[] from, int offset, long to, long bytes) {
    UNSAFE.copyMemory(from, BYTES + offset, null, to, bytes);
  }

  static void copy(long from, byte[] to, int offset, long bytes) {
    UNSAFE.copyMemory(null, from, to, BYTES + offset, bytes);
  }
}
