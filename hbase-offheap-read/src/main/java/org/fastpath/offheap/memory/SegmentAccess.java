package org.fastpath.offheap.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access by a memory segment that spans the address space [JEP 454], for JDKs without the memory
 * methods of Unsafe.
 *
 * <p>The build must work with JDK 17, which has no memory segments. So this class names none of
 * their types: it binds the segment to handles whose types are those of JDK 17. The handles are
 * {@code static final}, and the segment within them is a constant for the compiler. One comparison
 * of the address remains of its checks.
 *
 * <p>To make such a segment is a restricted operation: the JVM wants {@code
 * --enable-native-access=ALL-UNNAMED}, or warns once.
 */
final class SegmentAccess extends RawAccess {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentAccess.class);
  private static final String FOREIGN = "java.lang.foreign.";

  private static final Class<?> SEGMENT = type("MemorySegment");

  /** Bytes 0 to {@link Long#MAX_VALUE} of the address space. */
  private static final Object ALL = all();

  private static final VarHandle BYTE = words("JAVA_BYTE");
  private static final VarHandle SHORT = words("JAVA_SHORT_UNALIGNED");
  private static final VarHandle INT = words("JAVA_INT_UNALIGNED");
  private static final VarHandle LONG = words("JAVA_LONG_UNALIGNED");

  /** For shared words, which are aligned. */
  private static final VarHandle SHARED_INT = words("JAVA_INT");

  private static final VarHandle SHARED_LONG = words("JAVA_LONG");

  private static final VarHandle ARRAY_SHORT = inArrays(short[].class);
  private static final VarHandle ARRAY_INT = inArrays(int[].class);
  private static final VarHandle ARRAY_LONG = inArrays(long[].class);

  /** (address, length, value). */
  private static final MethodHandle FILL = fill();

  /** (address, array, index, length). */
  private static final MethodHandle COPY = copy();

  /** Returns the address at the position of a buffer. */
  private static final MethodHandle ADDRESS = address();

  private static Class<?> type(String name) {
    try {
      return Class.forName(FOREIGN + name);
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static Object all() {
    try {
      Object none = SEGMENT.getField("NULL").get(null);
      return SEGMENT.getMethod("reinterpret", long.class).invoke(none, Long.MAX_VALUE);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static Object layout(String name) throws ReflectiveOperationException {
    return type("ValueLayout").getField(name).get(null);
  }

  /** Returns a handle whose only coordinate is the address. */
  private static VarHandle words(String layout) {
    try {
      Method handle = type("ValueLayout").getMethod("varHandle");
      VarHandle words = (VarHandle) handle.invoke(layout(layout));
      Method insert =
          MethodHandles.class.getMethod(
              "insertCoordinates", VarHandle.class, int.class, Object[].class);
      VarHandle bound = (VarHandle) insert.invoke(null, words, 0, new Object[] {ALL});
      return bound.withInvokeExactBehavior();
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static VarHandle inArrays(Class<?> words) {
    return MethodHandles.byteArrayViewVarHandle(words, ByteOrder.nativeOrder())
        .withInvokeExactBehavior();
  }

  private static MethodHandle fill() {
    try {
      Lookup lookup = MethodHandles.publicLookup();
      MethodHandle slice =
          lookup
              .findVirtual(
                  SEGMENT, "asSlice", MethodType.methodType(SEGMENT, long.class, long.class))
              .bindTo(ALL);
      MethodHandle fill =
          lookup.findVirtual(SEGMENT, "fill", MethodType.methodType(SEGMENT, byte.class));
      return MethodHandles.collectArguments(fill, 0, slice)
          .asType(MethodType.methodType(void.class, long.class, long.class, byte.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle copy() {
    try {
      MethodType type =
          MethodType.methodType(
              void.class,
              SEGMENT,
              type("ValueLayout"),
              long.class,
              Object.class,
              int.class,
              int.class);
      MethodHandle copy = MethodHandles.publicLookup().findStatic(SEGMENT, "copy", type);
      return MethodHandles.insertArguments(copy, 0, ALL, layout("JAVA_BYTE"));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle address() {
    try {
      Lookup lookup = MethodHandles.publicLookup();
      MethodHandle segment =
          lookup.findStatic(SEGMENT, "ofBuffer", MethodType.methodType(SEGMENT, Buffer.class));
      MethodHandle address =
          lookup.findVirtual(SEGMENT, "address", MethodType.methodType(long.class));
      return MethodHandles.filterReturnValue(segment, address)
          .asType(MethodType.methodType(long.class, ByteBuffer.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns the exception for an impossible failure of a handle. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }

  @Override
  long byteArrayBase() {
    return 0;
  }

  @Override
  long longArrayBase() {
    return 0;
  }

  @Override
  long address(ByteBuffer direct) {
    try {
      return (long) ADDRESS.invokeExact(direct) - direct.position();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Frees memory by the buffer's own cleaner, which HBase's JVM flags make accessible. Without them
   * the garbage collector frees the memory later.
   */
  @Override
  void free(ByteBuffer direct) {
    try {
      Method cleaner = Class.forName("sun.nio.ch.DirectBuffer").getMethod("cleaner");
      cleaner.setAccessible(true);
      Object own = cleaner.invoke(direct);
      Method clean = own.getClass().getMethod("clean");
      clean.setAccessible(true);
      clean.invoke(own);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug(
          "The memory cannot be freed at once, so the garbage collector will free {} bytes",
          direct.capacity(),
          e);
    }
  }

  @Override
  byte getByte(Object base, long address) {
    if (base == null) {
      return (byte) BYTE.get(address);
    }
    return base instanceof byte[] array
        ? array[(int) address]
        : (byte) (word(base, address) >>> shift(address, Byte.SIZE));
  }

  @Override
  short getShort(Object base, long address) {
    return base == null
        ? (short) SHORT.get(address)
        : (short) ARRAY_SHORT.get((byte[]) base, (int) address);
  }

  @Override
  int getInt(Object base, long address) {
    return base == null
        ? (int) INT.get(address)
        : (int) ARRAY_INT.get((byte[]) base, (int) address);
  }

  @Override
  long getLong(Object base, long address) {
    if (base == null) {
      return (long) LONG.get(address);
    }
    return base instanceof byte[] array
        ? (long) ARRAY_LONG.get(array, (int) address)
        : word(base, address);
  }

  private static long word(Object base, long address) {
    return ((long[]) base)[(int) (address >>> 3)];
  }

  /** Returns the distance of a byte from the low end of its word. */
  private static int shift(long address, int size) {
    int bytes = (int) address & 7;
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? bytes * size
        : Long.SIZE - (bytes + 1) * size;
  }

  @Override
  void putByte(long address, byte value) {
    BYTE.set(address, value);
  }

  @Override
  void putInt(long address, int value) {
    INT.set(address, value);
  }

  @Override
  void putLong(long address, long value) {
    LONG.set(address, value);
  }

  @Override
  void putLong(byte[] array, int index, long value) {
    ARRAY_LONG.set(array, index, value);
  }

  @Override
  int getIntVolatile(long address) {
    return (int) SHARED_INT.getVolatile(address);
  }

  @Override
  long getLongVolatile(long address) {
    return (long) SHARED_LONG.getVolatile(address);
  }

  @Override
  void putLongVolatile(long address, long value) {
    SHARED_LONG.setVolatile(address, value);
  }

  @Override
  boolean compareAndSetLong(long address, long expected, long value) {
    return SHARED_LONG.compareAndSet(address, expected, value);
  }

  @Override
  int getAndAddInt(long address, int delta) {
    return (int) SHARED_INT.getAndAdd(address, delta);
  }

  @Override
  long getAndAddLong(long address, long delta) {
    return (long) SHARED_LONG.getAndAdd(address, delta);
  }

  @Override
  void fill(Object base, long address, long length, byte value) {
    if (base != null) {
      Arrays.fill((byte[]) base, (int) address, (int) (address + length), value);
      return;
    }
    try {
      FILL.invokeExact(address, length, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void copy(Object base, long address, byte[] to, int at, int length) {
    if (base != null) {
      System.arraycopy(base, (int) address, to, at, length);
      return;
    }
    try {
      COPY.invokeExact(address, (Object) to, at, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }
}
