package org.fastpath.offheap.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import sun.misc.Unsafe;

/**
 * Access by {@link Unsafe}, with one instruction each. A later JDK will remove these methods [JEP
 * 471].
 */
final class UnsafeAccess extends RawAccess {
  private static final Unsafe UNSAFE = unsafe();
  private static final long BUFFER_ADDRESS = bufferAddressOffset();
  private static final SteppedBuffers BUFFERS = SteppedBuffers.of(UNSAFE);

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

  @Override
  long byteArrayBase() {
    return Unsafe.ARRAY_BYTE_BASE_OFFSET;
  }

  @Override
  long longArrayBase() {
    return Unsafe.ARRAY_LONG_BASE_OFFSET;
  }

  @Override
  long address(ByteBuffer direct) {
    return UNSAFE.getLong(direct, BUFFER_ADDRESS);
  }

  @Override
  ByteBuffer allocate(int bytes) {
    return BUFFERS == null ? super.allocate(bytes) : BUFFERS.allocate(bytes);
  }

  @Override
  void free(ByteBuffer direct) {
    if (BUFFERS == null || !BUFFERS.free(direct)) {
      UNSAFE.invokeCleaner(direct);
    }
  }

  @Override
  byte getByte(Object base, long address) {
    return UNSAFE.getByte(base, address);
  }

  @Override
  short getShort(Object base, long address) {
    return UNSAFE.getShort(base, address);
  }

  @Override
  int getInt(Object base, long address) {
    return UNSAFE.getInt(base, address);
  }

  @Override
  long getLong(Object base, long address) {
    return UNSAFE.getLong(base, address);
  }

  @Override
  void putByte(long address, byte value) {
    UNSAFE.putByte(null, address, value);
  }

  @Override
  void putInt(long address, int value) {
    UNSAFE.putInt(null, address, value);
  }

  @Override
  void putLong(long address, long value) {
    UNSAFE.putLong(null, address, value);
  }

  @Override
  void putLong(byte[] array, int index, long value) {
    UNSAFE.putLong(array, Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) index, value);
  }

  @Override
  int getIntVolatile(long address) {
    return UNSAFE.getIntVolatile(null, address);
  }

  @Override
  long getLongVolatile(long address) {
    return UNSAFE.getLongVolatile(null, address);
  }

  @Override
  void putLongVolatile(long address, long value) {
    UNSAFE.putLongVolatile(null, address, value);
  }

  @Override
  boolean compareAndSetLong(long address, long expected, long value) {
    return UNSAFE.compareAndSwapLong(null, address, expected, value);
  }

  @Override
  int getAndAddInt(long address, int delta) {
    return UNSAFE.getAndAddInt(null, address, delta);
  }

  @Override
  long getAndAddLong(long address, long delta) {
    return UNSAFE.getAndAddLong(null, address, delta);
  }

  @Override
  void fill(Object base, long address, long length, byte value) {
    UNSAFE.setMemory(base, address, length, value);
  }

  @Override
  void copy(Object base, long address, byte[] to, int at, int length) {
    long target = Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) at;
    UNSAFE.copyMemory(base, address, to, target, length);
  }
}
